// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { later } from './later';

afterEach(cleanup);

const Part = ({ word }: { word: string }) => <p>{word}</p>;

describe('a component that comes later', () => {
  it('has something in its place until its code is there', async () => {
    let arrive: (part: typeof Part) => void = () => {};
    const Later = later<{ word: string }>(() => new Promise((resolve) => (arrive = resolve)), <i>soon</i>);
    render(<Later word="here" />);
    expect(screen.getByText('soon')).toBeTruthy();
    await act(async () => arrive(Part));
    expect(screen.getByText('here')).toBeTruthy();
    expect(screen.queryByText('soon')).toBeNull();
  });

  it('is there at once when it was fetched before', async () => {
    const Later = later<{ word: string }>(async () => Part, <i>soon</i>);
    await Later.load();
    render(<Later word="here" />);
    expect(screen.getByText('here')).toBeTruthy();
  });
});
