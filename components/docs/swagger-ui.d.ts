declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Request {
    url: string;
    headers: Record<string, string>;
  }

  interface Options {
    domNode: Element;
    url: string;
    /** Sees the request for the description, and each that the reader tries out. */
    requestInterceptor(request: Request): Request;
    /** Null: nobody else is asked about the description. */
    validatorUrl: null;
    docExpansion: 'list' | 'none';
    defaultModelsExpandDepth: number;
    filter: boolean;
    deepLinking: boolean;
    displayRequestDuration: boolean;
    tryItOutEnabled: boolean;
    onComplete(): void;
  }

  export default function SwaggerUI(options: Options): unknown;
}
