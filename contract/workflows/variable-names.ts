// Constants of variables without their zod schemas, so that the browser need not load zod.

/** A workspace has at most this many variables, so that one page of a list shows all. */
export const MAX_WORKSPACE_VARIABLES = 100;

export const VARIABLE_NAME_PATTERN = /^[A-Z][A-Z0-9_]*$/;
