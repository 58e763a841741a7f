/** A path of an expression, `nodes.fetch.lines[0].id`, as Python reads it: `nodes["fetch"]["lines"][0]["id"]`. */
export const toPythonPath = (path: string): string =>
  path.replace(
    /\.(?:`([^`]+)`|([\w$]+))/g,
    (_, quoted: string | undefined, name: string | undefined) => `[${JSON.stringify(quoted ?? name)}]`,
  );
