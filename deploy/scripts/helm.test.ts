import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2';
import type { ConfigMap, Container, Secret, Service } from 'kubernetes-types/core/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT_VARIABLES } from '@/server/platform/env/variables';
import { CHART, EXAMPLES, EXAMPLE_NAMES, fingerprintOf, manifestsOf } from './helm.mjs';
import { root } from '../../scripts/step.mjs';

type Manifest = ReturnType<typeof manifestsOf>[number];

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const rendered = (name: string) => readFileSync(path.join(EXAMPLES, `${name}.rendered.yaml`), 'utf8');
const of = <Kind>(manifests: Manifest[], kind: string) =>
  manifests.filter((one) => one.kind === kind) as unknown as Kind[];
const containersOf = ({ spec }: Deployment): Container[] => {
  const pod = spec?.template.spec;
  return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
};

const folder = mkdtempSync(path.join(tmpdir(), 'weft-helm-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The modules of kubernetes-types by group. */
const GROUPS: Record<string, string> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'policy/v1': 'policy/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'networking.k8s.io/v1': 'networking/v1',
};
/** Objects of the Prometheus operator, for which Kubernetes has no types. */
const isForeign = ({ apiVersion }: Manifest) => apiVersion.startsWith('monitoring.coreos.com/');

/**
 * What the types of the Kubernetes API say against the manifests: unknown fields, wrong types, missing parts. Empty:
 * nothing.
 */
function complaintsAbout(manifests: Manifest[]): string {
  const types = path.join(root, 'node_modules/kubernetes-types');
  const lines = manifests.map((manifest, index) => {
    const group = GROUPS[manifest.apiVersion] ?? `unknown/${manifest.apiVersion}`;
    return `export const m${index}: import('${types}/${group}').${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  const file = path.join(folder, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '', file];
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, ...words], { encoding: 'utf8', cwd: folder }).stdout;
}

test('the types of Kubernetes notice a misspelt field and a wrong type', () => {
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'one' } };
  expect(complaintsAbout([claim])).toBe('');
  expect(complaintsAbout([{ ...claim, spec: { accesModes: ['ReadWriteOnce'] } }])).toContain('accesModes');
  expect(complaintsAbout([{ ...claim, spec: { accessModes: 'ReadWriteOnce' } }])).toContain('string[]');
});

test.each(EXAMPLE_NAMES)('the rendered example %s is one of this chart, and of the Kubernetes API', (name) => {
  expect(rendered(name).split('\n')[0], 'run npm run helm:check -- --write').toContain(fingerprintOf(name));
  const manifests = manifestsOf(rendered(name));
  expect(complaintsAbout(manifests.filter((one) => !isForeign(one)))).toBe('');
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test.each(EXAMPLE_NAMES)('the pods of %s have no rights and no place to write but their volumes', (name) => {
  const deployments = of<Deployment>(manifestsOf(rendered(name)), 'Deployment');
  expect(deployments).toHaveLength(2);
  const [, user] = /^USER (\d+):/m.exec(textOf('deploy/Dockerfile')) ?? [];
  for (const deployment of deployments) {
    const pod = deployment.spec?.template.spec;
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), fsGroup: Number(user) });
    expect(pod?.securityContext?.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    expect(pod?.automountServiceAccountToken).toBe(false);
    for (const { securityContext, volumeMounts = [], resources } of containersOf(deployment)) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(['/data', '/tmp']));
      const volumes = pod?.volumes?.map((volume) => volume.name);
      expect(volumes).toEqual(expect.arrayContaining(volumeMounts.map((mount) => mount.name)));
      expect(resources?.limits?.memory).toBeTruthy();
    }
    const { stop_grace_period: grace } = parse(textOf('deploy/compose.yaml'), { merge: true }).services.web;
    expect(`${pod?.terminationGracePeriodSeconds}s`).toBe(grace);
    const { labels } = deployment.spec?.template.metadata ?? {};
    expect(labels).toMatchObject(deployment.spec?.selector.matchLabels ?? {});
  }
});

test.each(EXAMPLE_NAMES)(
  'the probes of %s reach a port that the process listens on; the Service has web pods alone',
  (name) => {
    const manifests = manifestsOf(rendered(name));
    const deployments = of<Deployment>(manifests, 'Deployment');
    for (const deployment of deployments) {
      const [main] = deployment.spec?.template.spec?.containers ?? [];
      const environment = new Map(main?.env?.map((one) => [one.name, one.value]));
      const ports = new Map(main?.ports?.map((port) => [port.name, String(port.containerPort)]));
      expect(ports.get('probes')).toBe(environment.get('PROBE_PORT'));
      expect(ports.get('http')).toBe(environment.get('ROLE') === 'web' ? environment.get('PORT') : undefined);
      const probes = [main?.startupProbe, main?.livenessProbe, main?.readinessProbe].map((probe) => probe?.httpGet);
      expect(probes.map((probe) => probe?.port)).toEqual(['probes', 'probes', 'probes']);
      expect(probes.map((probe) => probe?.path)).toEqual(['/healthz', '/healthz', '/readyz']);
    }
    const [service] = of<Service>(manifests, 'Service').filter(({ metadata }) => !metadata?.name?.endsWith('-metrics'));
    const selected = deployments.filter(({ spec }) =>
      Object.entries(service?.spec?.selector ?? {}).every(
        ([key, value]) => spec?.template.metadata?.labels?.[key] === value,
      ),
    );
    expect(selected.map(({ metadata }) => metadata?.labels?.['app.kubernetes.io/component'])).toEqual(['web']);
  },
);

test.each(EXAMPLE_NAMES)('%s names only variables of the service, and no secret outside the Secret', (name) => {
  const manifests = manifestsOf(rendered(name));
  const settings = of<ConfigMap>(manifests, 'ConfigMap').flatMap(({ data }) => Object.keys(data ?? {}));
  const sealed = of<Secret>(manifests, 'Secret').flatMap(({ data }) => Object.entries(data ?? {}));
  const given = of<Deployment>(manifests, 'Deployment')
    .flatMap(containersOf)
    .flatMap(({ env = [] }) => env);
  const names = [...settings, ...sealed.map(([key]) => key), ...given.map((one) => one.name)];
  expect(names.filter((one) => !(one in ENVIRONMENT_VARIABLES) && !one.startsWith('OTEL_'))).toEqual([]);
  for (const key of ['JWT_SECRET', 'ENCRYPTION_KEY', 'MFA_SECRET_KEY']) {
    const sources = given.filter((one) => one.name === key).map(({ valueFrom }) => valueFrom?.secretKeyRef?.key);
    expect(sources).toEqual([key, key, key, key]);
  }
  const elsewhere = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
  for (const [, value] of sealed) expect(elsewhere).not.toContain(Buffer.from(value, 'base64').toString());
});

test('workers follow the age of the queue, by the metric that the service has, the adapter gives and KEDA asks for', () => {
  const METRIC = 'weft_queue_overdue_seconds';
  expect(textOf('server/platform/metrics/registry.ts')).toContain(`'${METRIC.replace('weft_', '')}'`);
  expect(textOf('deploy/observability/alerts.test.yaml')).toContain(METRIC);
  const scalers = of<HorizontalPodAutoscaler>(manifestsOf(rendered('full')), 'HorizontalPodAutoscaler');
  const metrics = scalers.map(({ spec }) => spec?.metrics?.map(({ type, external }) => external?.metric.name ?? type));
  expect(metrics).toEqual([['Resource'], ['Resource', METRIC]]);
  const { rules } = parse(textOf('deploy/helm/examples/prometheus-adapter.values.yaml')) as {
    rules: { external: { seriesQuery: string; name: { as: string } }[] };
  };
  expect(rules.external.map(({ seriesQuery, name }) => [seriesQuery.split('{')[0], name.as])).toEqual([
    [METRIC, METRIC],
  ]);
  const { spec } = parse(textOf('deploy/helm/examples/keda.yaml')) as {
    spec: { triggers: { metadata: { query: string } }[] };
  };
  expect(spec.triggers[0]?.metadata.query).toContain(METRIC);
});

test('a budget covers the pods of each role, and further files are in every container', () => {
  const manifests = manifestsOf(rendered('full'));
  const deployments = of<Deployment>(manifests, 'Deployment');
  const budgets = of<PodDisruptionBudget>(manifests, 'PodDisruptionBudget');
  expect(budgets.map(({ spec }) => spec?.selector)).toEqual(deployments.map(({ spec }) => spec?.selector));
  expect(budgets.map(({ spec }) => spec?.maxUnavailable)).toEqual([1, 1]);
  for (const container of deployments.flatMap(containersOf)) {
    expect(container.volumeMounts?.map(({ mountPath }) => mountPath)).toContain('/etc/weft');
    expect(container.envFrom).toContainEqual({ secretRef: { name: 'flows-connectors' } });
  }
});

test('the values have each variable of the service in one place', () => {
  const { definitions } = JSON.parse(readFileSync(path.join(CHART, 'values.schema.json'), 'utf8')) as {
    definitions: Record<'settings' | 'secrets', { propertyNames: { anyOf: { enum?: string[] }[] } }>;
  };
  const listed = (part: 'settings' | 'secrets') => definitions[part].propertyNames.anyOf[0]?.enum ?? [];
  const set = ['DATA_DIR', 'HOST', 'PORT', 'PROBE_PORT', 'ROLE'];
  const ofCommands = ['EXPORT_PASSPHRASE'];
  const all = [...listed('settings'), ...listed('secrets'), ...set, ...ofCommands];
  expect([...new Set(all)].sort()).toEqual(Object.keys(ENVIRONMENT_VARIABLES).sort());
  // With and without a password in them.
  expect(listed('settings').filter((one) => listed('secrets').includes(one))).toEqual([
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'REDIS_URL',
    'HTTPS_PROXY',
  ]);
});
