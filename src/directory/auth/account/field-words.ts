const LABELS: Record<string, string> = {
  handle: "Handle",
  firstName: "First name",
  lastName: "Last name",
  email: "E-mail",
  password: "Password",
};

/** Replaces the field name at the start of `message` by its label on the page. */
export function fieldWords(field: string, message: string): string {
  const label = LABELS[field] ?? field;
  return label + (message.startsWith(field) ? message.slice(field.length) : `: ${message}`);
}
