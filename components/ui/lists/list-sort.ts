/** The field by which a list is sorted: `name` of `-name`. */
export const sortedField = (sort: string): string => sort.replace(/^-/, '');

export const isDescendingSort = (sort: string): boolean => sort.startsWith('-');

/** The order after a click on the header of a column: its first order, and then the reverse of it. */
export const nextSort = <Sort extends string>(sort: Sort, first: Sort): Sort =>
  sort === first ? ((isDescendingSort(first) ? sortedField(first) : `-${first}`) as Sort) : first;

/** One of these orders, as it stands in an address; else the first one. */
export const parseSort = <Sort extends string>(sorts: readonly [Sort, ...Sort[]], text: string | null): Sort =>
  sorts.find((sort) => sort === text) ?? sorts[0];
