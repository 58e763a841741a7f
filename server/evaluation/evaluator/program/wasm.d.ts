/** The path of a WebAssembly file that the build puts beside the program. */
declare module '*.wasm' {
  const path: string;
  export default path;
}
