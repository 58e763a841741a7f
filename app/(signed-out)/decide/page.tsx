import type { Metadata } from 'next';
import { DecisionForm } from '@/components/executions/DecisionForm';

export const metadata: Metadata = { title: 'Approval', referrer: 'no-referrer' };

export default function Page() {
  return <DecisionForm />;
}
