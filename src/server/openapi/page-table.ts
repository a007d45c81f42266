import { type Html, html } from './html.ts';

/** A table that scrolls by itself where the page is narrow. */
export function table(columns: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="rows">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div> `;
}
