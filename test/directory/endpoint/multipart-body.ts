export const BOUNDARY = "------------------------d74496d66958873e";
export const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** `more` continues the Content-Disposition header after the field's name: further parameters, then headers. */
export type Part = [name: string, value: string, more?: string];

export function multipart(parts: Part[]): string {
  const written = parts.map(
    ([name, value, more = ""]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`,
  );
  return `${written.join("")}--${BOUNDARY}--\r\n`;
}
