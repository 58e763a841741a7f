'use client';

import 'swagger-ui-dist/swagger-ui.css';
import { Anchor, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { workspaceHeader } from '@/components/client/workspace';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { Page } from '@/components/ui/Page';
import { PageHeader } from '@/components/ui/PageHeader';
import classes from './ApiReference.module.css';

/** Sends a request to this host instead of the server in the document, for the selected workspace. */
function asReader(request: { url: string; headers: Record<string, string> }) {
  const { pathname, search } = new URL(request.url, location.origin);
  request.url = location.origin + pathname + search;
  request.headers = { ...workspaceHeader(), ...request.headers };
  return request;
}

/** The API reference with Swagger UI, which only this page loads. Requests use the session of the signed-in user. */
export function ApiReference() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'there' | Error>('loading');
  const scheme = useComputedColorScheme('light');

  useEffect(() => {
    const root = document.documentElement;
    root.classList.toggle('dark-mode', scheme === 'dark');
    return () => root.classList.remove('dark-mode');
  }, [scheme]);

  useEffect(() => {
    const domNode = document.createElement('div');
    place.current?.append(domNode);
    import('swagger-ui-dist/swagger-ui-es-bundle.js').then(
      ({ default: SwaggerUI }) =>
        SwaggerUI({
          domNode,
          url: '/openapi.json',
          requestInterceptor: asReader,
          validatorUrl: null,
          docExpansion: 'none',
          defaultModelsExpandDepth: 0,
          filter: true,
          deepLinking: true,
          displayRequestDuration: true,
          tryItOutEnabled: true,
          onComplete: () => setState('there'),
        }),
      (error: Error) => setState(error),
    );
    return () => domNode.remove();
  }, []);

  return (
    <Page>
      <PageHeader
        title="API"
        summary="Every operation of the service. Requests sent here run as you, in this workspace."
      >
        <Anchor href="/openapi.json">openapi.json</Anchor>
        <Anchor href="/openapi.yaml">openapi.yaml</Anchor>
      </PageHeader>
      {state === 'loading' && <ListSkeleton rows={8} />}
      {state instanceof Error && <FailureNote title="The API reference can’t be shown" error={state} />}
      <div ref={place} className={classes.reference} />
    </Page>
  );
}
