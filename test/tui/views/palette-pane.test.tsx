import {Text} from 'ink';
import {expect, test} from 'vitest';
import {fieldWith} from '../../../source/tui/state/text-field.ts';
import {type Mode} from '../../../source/tui/state/mode.ts';
import {PalettePane} from '../../../source/tui/views/palette-pane.tsx';
import {frameOf, screenOf} from '../render-component.tsx';
import {server, started} from '../sample-events.ts';

function linesOf(typed: string, height = 20): readonly string[] {
	const mode: Extract<Mode, {kind: 'palette'}> = {kind: 'palette', field: fieldWith(typed), behind: {kind: 'browse'}};
	const screen = screenOf([started(), server('github')], {mode});
	return frameOf(
		<PalettePane screen={screen} mode={mode} height={height}>
			<Text>what it was opened on</Text>
		</PalettePane>,
	).split('\n');
}

test.each([
	{name: 'every command, below what it was opened on', typed: '', shown: 'type, or choose with the arrows'},
	{name: 'those that fit, with the first of them picked', typed: 'them', shown: /^> theme .*theme/mu},
	{name: 'that nothing fits', typed: 'zzzzz', shown: 'Commands · nothing fits'},
])('the palette shows $name', ({typed, shown}) => {
	const text = linesOf(typed).join('\n');
	expect(text).toMatch(shown);
	expect(text).toContain('what it was opened on');
});

test('the palette never takes more rows than there are', () => {
	expect(linesOf('', 8)).toHaveLength(8);
});
