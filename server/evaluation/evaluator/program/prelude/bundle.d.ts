/** The program that starts in `prelude/n8n/main.ts`, as one script that declares `prelude`. The build makes it. */
declare module 'realm:n8n' {
  const source: string;
  export default source;
}
