import createPurifier from 'dompurify';
import { Marked } from 'marked';
import { showControls } from './show-controls.ts';

const MARKED = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // HTML in a message is what somebody wrote about HTML: it is shown, not followed.
    html: ({ text }) => escapeHtml(text),
    // Nothing is loaded from elsewhere by looking at a trace: an image is a link that says where it leads.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(`image: ${text === '' ? href : text}`)}</a>`,
  },
});

const ALLOWED_TAGS =
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul'.split(' ');

const ADDRESS = /^(?:https?:|mailto:)/i;

/** The nodes of a text in markdown: known elements without attributes, and links that lead out of the page only. */
export function markdownFragment(text: string): DocumentFragment {
  const html = MARKED.parse(showControls(text), { async: false });
  const fragment = createPurifier(window).sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ['href', 'start', 'align'],
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: ADDRESS,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) guard(link);
  return fragment;
}

/**
 * Whatever a sanitiser thinks of an address, here only those that leave the page are links. The page behind one gets no
 * hold of this one, and no address of it.
 */
function guard(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href') ?? '';
  if (!ADDRESS.test(address)) return link.removeAttribute('href');
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.title = address;
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
}
