declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Request {
    url: string;
    headers: Record<string, string>;
  }

  interface Options {
    domNode: Element;
    url: string;
    /** Called for the document request and for each request that is tried out. */
    requestInterceptor(request: Request): Request;
    /** Null: the document is not sent to an external validator. */
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
