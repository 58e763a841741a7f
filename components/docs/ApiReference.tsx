'use client';

import 'swagger-ui-dist/swagger-ui.css';
import { Anchor, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { workspaceHeader } from '../client/workspace';
import { FailureNote } from '../ui/FailureNote';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import classes from './ApiReference.module.css';

/** To this host, whatever name the description knows it by, and about the workspace that the reader works in. */
function asReader(request: { url: string; headers: Record<string, string> }) {
  const { pathname, search } = new URL(request.url, location.origin);
  request.url = location.origin + pathname + search;
  request.headers = { ...workspaceHeader(), ...request.headers };
  return request;
}

/** Everything that can be called, drawn by Swagger UI, which is loaded here alone. Calls are made as the signed-in person. */
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
      <PageHeader title="API" summary="Everything the service can do. Calls made here are yours, in this workspace.">
        <Anchor href="/openapi.json">openapi.json</Anchor>
        <Anchor href="/openapi.yaml">openapi.yaml</Anchor>
      </PageHeader>
      {state === 'loading' && <ListSkeleton rows={8} />}
      {state instanceof Error && <FailureNote title="The reference can’t be shown" error={state} />}
      <div ref={place} className={classes.reference} />
    </Page>
  );
}
