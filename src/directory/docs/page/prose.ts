import { escapeHtml } from "../../../language/html.ts";

/**
 * Returns HTML for the Markdown that our descriptions use: paragraphs, lists of `- `, `code`, *emphasis* and [links](address).
 * Everything else is escaped.
 */
export function paragraphs(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) =>
      part.startsWith("- ") ? `<ul>${part.split(/^- /m).map(item).join("")}</ul>` : `<p>${words(part)}</p>`,
    )
    .join("\n");
}

const item = (text: string): string => (text === "" ? "" : `<li>${words(text.trim())}</li>`);

/** The same for a text of one paragraph, without its element. */
export const words = (markdown: string): string =>
  escapeHtml(markdown).replace(
    /`([^`]+)`|\*([^*]+)\*|\[([^\]]+)\]\((https?:[^)\s]+)\)/g,
    (_, code?: string, emphasis?: string, label?: string, address?: string) => {
      if (code) return `<code>${code}</code>`;
      return emphasis ? `<em>${emphasis}</em>` : `<a href="${address}">${label}</a>`;
    },
  );
