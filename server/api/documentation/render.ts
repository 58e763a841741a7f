import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { decisionPagePath, documentationFilePages } from './contents';

const escapeRawHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The address of a link on the site. Links in files are relative to their file, as code hosts show them. Undefined: a
 * file of the repository that is no page.
 */
export function resolveDocumentLink(href: string, file: string): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const resolved = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
  const found = documentationFilePages.find((page) => page.file === resolved)?.path ?? decisionPagePath(resolved);
  if (found === undefined) return undefined;
  return `/docs${found && `/${found}`}${anchor ? `#${anchor}` : ''}`;
}

/** Markdown as HTML. HTML inside it is shown as text; comments, which mark generated parts, are left out. */
export function renderMarkdown(
  markdown: string,
  file: string,
): { html: string; headings: { id: string; text: string }[] } {
  const marked = new Marked(gfmHeadingId(), {
    gfm: true,
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<!--[^>]*-->\s*$/.test(text) ? '' : escapeRawHtml(text)),
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const address = resolveDocumentLink(href, file);
        return address === undefined ? inner : `<a href="${escapeRawHtml(address)}">${inner}</a>`;
      },
    },
    // Wide tables and code scroll by themselves, and the keyboard can scroll them.
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
          .replaceAll('</table>', '</table></div>')
          .replaceAll('<pre>', '<pre tabindex="0">'),
    },
  });
  const html = marked.parse(markdown, { async: false });
  const headings = getHeadingList()
    .filter(({ level }) => level === 2)
    .map(({ id, raw }) => ({ id, text: raw.replaceAll('`', '') }));
  return { html, headings };
}
