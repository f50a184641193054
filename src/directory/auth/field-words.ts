const LABELS: Record<string, string> = {
  handle: "Handle",
  firstName: "First name",
  lastName: "Last name",
  email: "E-mail",
  password: "Password",
};

/** What is wrong with a field, a message that begins with the field's name, in the words of the page. */
export function fieldWords(field: string, message: string): string {
  const label = LABELS[field] ?? field;
  return label + (message.startsWith(field) ? message.slice(field.length) : `: ${message}`);
}
