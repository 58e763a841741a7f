// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SearchCombobox } from './SearchCombobox';

afterEach(cleanup);

const choices = ['HTTP request', 'Approval', 'Wait'].map((title) => ({ id: title, group: 'Nodes', title }));

it('begins with a search that was typed before, and goes on behind it', () => {
  const onPick = vi.fn();
  render(
    <MantineProvider env="test">
      <SearchCombobox
        label="Search nodes"
        placeholder=""
        choices={choices}
        initialSearch="appr"
        onPick={onPick}
        onClose={() => undefined}
      />
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search nodes' });
  expect(field.value).toBe('appr');
  expect(field.selectionStart).toBe(4);
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Approval']);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onPick).toHaveBeenCalledWith('Approval', false);
});
