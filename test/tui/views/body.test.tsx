import {describe, expect, test} from 'vitest';
import {fieldWith} from '../../../source/tui/state/text-field.ts';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {Body} from '../../../source/tui/views/body.tsx';
import {openForm} from '../../../source/tui/state/form.ts';
import {type Mode} from '../../../source/tui/state/mode.ts';
import {openReview} from '../../../source/tui/state/review.ts';
import {frameOf, openComponent, screenOf} from '../render-component.tsx';
import {approval, call, login, proposal, question, route, server, started} from '../sample-events.ts';

const events = [
	started(),
	server('github'),
	approval('1'),
	question('q'),
	proposal('p'),
	login('github'),
	route('push'),
	call('c', {registeredName: 'mcp__github__search', origin: {kind: 'dashboard'}}),
];
const browse = {kind: 'browse'} as const;
const field = fieldWith('typed');
const form = openForm({kind: 'question', id: 'q'}, [
	{name: 'repo', title: 'Repository', description: '', need: 'required', kind: 'text', defaultValue: 'typed'},
]);
const settled = {
	kind: 'settled',
	title: 'The request was withdrawn',
	what: 'cancelled',
	why: 'it is gone',
	scroll: 0,
} as const;
const manualCall = {kind: 'manual-call', requestId: 'hand-1', name: 'mcp__github__search', scroll: 0} as const;

/** The content of each mode between the header and the last line: a mode without its row does not compile. */
const shown: Readonly<Record<Mode['kind'], readonly [Mode, string]>> = {
	browse: [browse, '─ servers ·'],
	palette: [{kind: 'palette', field, behind: browse}, 'Commands · '],
	filter: [{kind: 'filter', field}, '─ servers ·'],
	copy: [{kind: 'copy', behind: settled}, 'it is gone'],
	confirm: [{kind: 'confirm', question: {kind: 'quit'}, behind: settled}, 'it is gone'],
	prompt: [{kind: 'prompt', purpose: {kind: 'find'}, field, behind: openReview({id: '1'})}, '1 of 1'],
	detail: [{kind: 'detail', id: 'default/github', scroll: 0}, '1 Overview · github'],
	faults: [{kind: 'faults', scroll: 0, behind: {kind: 'browse'}}, 'Faults'],
	help: [{kind: 'help', scroll: 0, field: fieldWith(''), scopes: ['servers'], behind: browse}, 'Keys · lines 1–19 of'],
	page: [
		{kind: 'page', subject: {kind: 'server-log', server: 'github'}, scroll: 0, behind: browse},
		'asking the gateway …',
	],
	trace: [
		{kind: 'trace', id: '1', subject: {kind: 'run', id: 'r1'}, profile: 'default', picked: 'subject', behind: browse},
		'asking the gateway …',
	],
	review: [openReview({id: '1'}), '1 of 1'],
	'deny-message': [{kind: 'deny-message', review: openReview({id: '1'}), field}, '1 of 1'],
	'call-rule': [
		{kind: 'call-rule', id: 'c1', profile: 'default', argument: 0, answers: 0, hint: '', behind: browse},
		'asking the gateway …',
	],
	edit: [
		{
			kind: 'edit',
			entry: {kind: 'server', name: 'github', profile: 'default'},
			edit: {kind: 'broken', errors: ['config.yaml:3:5: it is no map']},
			scroll: 0,
			behind: browse,
		},
		'config.yaml:3:5: it is no map',
	],
	command: [
		{kind: 'command', title: 'deploy', command: ['make', 'all of it'], scroll: 0, behind: browse},
		"make 'all of it'",
	],
	settled: [settled, 'The request was withdrawn'],
	proposal: [
		{kind: 'proposal', id: 'p', again: undefined, scroll: 0, seenLines: 0, answers: 0, hint: ''},
		'Install a tool server? · 1 of 1',
	],
	form: [{kind: 'form', form: {...form, stop: 1}, behind: browse}, '> enter sends the answer'],
	'form-text': [{kind: 'form-text', form, field, behind: browse}, ' > typed'],
	login: [{kind: 'login', server: 'github', profile: 'default', scroll: 0}, 'WDJB-MJHT'],
	'manual-call': [manualCall, 'under way'],
	'add-server': [{kind: 'add-server', step: 'name', name: '', field, problem: ''}, 'Add a tool server'],
};

const bodyOf = (mode: Mode, more: readonly GatewayEventBody[] = []) => (
	<Body screen={screenOf([...events, ...more], {mode})} height={20} />
);

test.each(Object.entries(shown))('%s is drawn in exactly its rows', (_, [mode, text]) => {
	const frame = frameOf(bodyOf(mode));
	expect(frame).toContain(text);
	expect(frame.split('\n')).toHaveLength(20);
});

describe('the page of a manual call', () => {
	test('shows how far it has come while it is under way', async () => {
		const progress = {type: 'tool.progress', callId: 'c', progress: 1, total: 2, message: 'halfway'} as const;
		const {text} = openComponent(bodyOf(manualCall, [progress]));
		await expect.poll(text).toContain(`${'━'.repeat(10)}${'─'.repeat(10)} 50 % · "halfway"`);
		expect(text()).toContain(' .   under way');
	});

	test('says that it waits for an approval, and does not move', () => {
		const asked = approval('2', {registeredName: manualCall.name, origin: {kind: 'dashboard'}});
		const frame = frameOf(bodyOf(manualCall, [asked]));
		expect(frame).toContain('▲ waits for your approval · press A to review it');
		expect(frame).not.toContain('under way');
	});

	test('is silent about the approval of the same tool that was called in another window', () => {
		const asked = approval('2', {registeredName: manualCall.name, origin: {kind: 'dashboard', by: 'console:2'}});
		const frame = frameOf(bodyOf(manualCall, [asked]));
		expect(frame).toContain('under way');
		expect(frame).not.toContain('waits for your approval');
	});
});
