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

/** A search result: a page with the section that matches best. */
export interface DocumentationHit {
  path: string;
  title: string;
  /** The heading of the section; empty: it is the beginning of the page. */
  heading: string;
  /** From the root of the service, with the anchor of the section. */
  address: string;
  excerpt: string;
  /** Words of title, heading and excerpt by which it was found, in lower case. */
  marks: string[];
}
