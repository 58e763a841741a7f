// Facts about variables without their schemas, which the browser need not load.

/** Variables of a workspace: one page of a list shows all. */
export const MAX_VARIABLES = 100;

export const VARIABLE_NAME = /^[A-Z][A-Z0-9_]*$/;
