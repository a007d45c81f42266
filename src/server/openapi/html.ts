/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** HTML from a template: what is put in is escaped unless it is HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + textOf(parts[index] ?? '')).join(''));
}

/** A text with `code` in it. */
export function prose(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
  return html`${parts}`;
}

/** Paragraphs and lists of a text: the part of Markdown that descriptions use. */
export function paragraphs(text: string): Html {
  return html`${text.split('\n\n').map(paragraph)}`;
}

function paragraph(text: string): Html {
  if (!text.startsWith('- ')) return html`<p>${prose(text.replaceAll('\n', ' '))}</p>`;
  const items = text.slice(2).split('\n- ');
  return html`<ul>
    ${items.map((item) => html`<li>${prose(item)}</li>`)}
  </ul>`;
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
