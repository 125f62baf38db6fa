import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {emptyField} from '../../../source/tui/state/text-field.ts';
import {BottomLine} from '../../../source/tui/views/bottom-line.tsx';
import {type Mode} from '../../../source/tui/state/mode.ts';
import {openReview} from '../../../source/tui/state/review.ts';
import {frameOf, screenOf} from '../render-component.tsx';
import {approval, server, started} from '../sample-events.ts';

const events = [started(), server('a'), approval('1')];
const field = emptyField;
const browse = {kind: 'browse'} as const;
const lineOf = (mode: Mode) =>
	stripVTControlCharacters(frameOf(<BottomLine screen={screenOf(events, {mode}, {armed: true})} />));

test.each<readonly [string, Mode]>([
	['? help  q quit', browse],
	[' : reload-mcp', {kind: 'palette', field, behind: browse}],
	[' / word key:value', {kind: 'filter', field}],
	[' deny, because: (Enter denies', {kind: 'deny-message', review: openReview({id: '1'}), field}],
	[
		' too late: (Enter and Esc',
		{
			kind: 'deny-message',
			review: openReview({id: '1'}),
			field,
			settled: {kind: 'settled', title: 't', what: 'w', why: 'y', scroll: 0},
		},
	],
	[' search: (Enter searches', {kind: 'prompt', purpose: {kind: 'find'}, field, behind: browse}],
	[' run in work: what to do', {kind: 'prompt', purpose: {kind: 'start-run', profile: 'work'}, field, behind: browse}],
	['y yes  n no', {kind: 'confirm', question: {kind: 'quit'}, behind: browse}],
	[' deny only · ', openReview({id: '1'})],
	[' ready · ', {...openReview({id: '1'}), seenLines: 1000}],
])('is one row and says %s', (text, mode) => {
	const line = lineOf(mode);
	expect(line).toContain(text);
	expect(line.split('\n')).toHaveLength(1);
});
