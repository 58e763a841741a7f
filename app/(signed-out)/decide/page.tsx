import type { Metadata } from 'next';
import { DecisionForm } from '@/components/runs/DecisionForm';

export const metadata: Metadata = { title: 'Approval', referrer: 'no-referrer' };

export default function Page() {
  return <DecisionForm />;
}
