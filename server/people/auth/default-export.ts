/** The default export of a CommonJS module: Node returns the whole module instead, bundlers the export itself. */
export const unwrapDefaultExport = <Export>(found: Export): Export => (found as { default?: Export }).default ?? found;
