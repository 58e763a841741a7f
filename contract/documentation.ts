/** A page of the documentation, for the site. Paths begin below `/docs`; the first page has the empty path. */
export interface DocumentationPage {
  path: string;
  title: string;
  /** Trusted HTML: it comes from files of this repository and from descriptions of node types and connectors. */
  html: string;
  /** Headings of the second level, in their order. */
  headings: { id: string; text: string }[];
}

export interface DocumentationSection {
  title: string;
  pages: { path: string; title: string }[];
}

/** A page that contains the words of a search, with the text around the first of them. */
export interface DocumentationHit {
  path: string;
  title: string;
  excerpt: string;
}
