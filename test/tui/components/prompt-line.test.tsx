import {expect, test} from 'vitest';
import {PromptLine} from '../../../source/tui/components/prompt-line.tsx';
import {type TextField} from '../../../source/tui/state/mode.ts';
import {noHandlers, openComponent} from '../render-component.tsx';

const prompt = (field: TextField, handlers = noHandlers) => (
	<PromptLine
		label=" : "
		field={field}
		placeholder="type here"
		suggestions={['reload-mcp']}
		handlers={handlers}
		width={40}
	/>
);

test('shows the placeholder while nothing is typed', () => {
	expect(openComponent(prompt({value: '', revision: 0})).text()).toBe(' : type here');
});

test('hands on what is typed, and with Enter the completed line', async () => {
	const changed: string[] = [];
	const submitted: string[] = [];
	const handlers = {
		onChange: (text: string) => void changed.push(text),
		onSubmit: (text: string) => void submitted.push(text),
	};
	const {stdin, text} = openComponent(prompt({value: '', revision: 0}, handlers));
	await expect.poll(() => stdin.listenerCount('readable')).toBeGreaterThan(0);
	stdin.write('re');
	await expect.poll(text).toContain(' : reload-mcp');
	expect(changed).toEqual(['re']);
	stdin.write('\r');
	await expect.poll(() => submitted).toEqual(['reload-mcp']);
});

test('takes over a text that was set from outside', () => {
	const {rerender, text} = openComponent(prompt({value: 'a', revision: 0}));
	rerender(prompt({value: 'pasted', revision: 1}));
	expect(text()).toContain(' : pasted');
});

test('a long text stays in its row', () => {
	const {text} = openComponent(prompt({value: 'long words '.repeat(20), revision: 0}));
	expect(text().split('\n')).toHaveLength(1);
});
