import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {frameAfter} from './frame-after.tsx';
import {openWith} from './open-with.ts';
import {rule, rules, sampleTime, started} from './sample-events.ts';
import {rehearsal, unfinished} from './sample-rehearsal.ts';

const small = {columns: 80, rows: 24};
const list = rules(rule('stored1'));

/** The frame after these keys in the rules view. */
function shown(events: readonly GatewayEventBody[], keys: readonly string[], size: Parameters<typeof frameAfter>[2]) {
	return frameAfter([started(), list, ...events], ['R', ...keys], size).join('\n');
}

test('the figures come first, then the calls whose verdict changes, the newest first', () => {
	const frame = shown([rehearsal()], ['t'], {columns: 159, rows: 50});
	expect(frame).toMatch(/Rules on recorded calls · 2/u);
	expect(frame).toMatch(/> 1,234 recorded calls since \d{4}-\d\d-\d\d \d\d:\d\d: 2 differ/u);
	expect(frame).toMatch(/now +✔ 1,000 allowed +◇ 100 asked about +✖ 134 denied +by the current rules/u);
	expect(frame).toMatch(/then +✔ 900 allowed +◇ 200 asked about +✖ 130 denied +as decided then/u);
	expect(frame).toMatch(/◇ ask +> ✔ allow +files\/read +allows files\/read\s[^]*✔ allow +> ✖ deny +files\/wipe/u);
});

test.each([
	['80x24', small, /now +✔ 1,000 allowed +◇ 100 asked about +✖ 134 denied\s+then[^]+◇ ask +> ✔ allow +files\/read/u],
	['40x10', {columns: 40, rows: 10}, /1,234 calls, 2 differ\s+now +✔ 1,000 +◇ 100 +✖ 134\s+then +✔ 900/u],
] as const)('at %s it says the same', (_, size, words) => {
	expect(shown([rehearsal()], ['t'], size)).toMatch(words);
});

test.each<readonly [string, ReturnType<typeof rehearsal>, RegExp]>([
	[
		'no calls',
		rehearsal({calls: 0, changes: 0, changed: []}),
		/no calls are recorded, so there is nothing to try rules on/u,
	],
	['nothing that changes', rehearsal({changes: 0, changed: []}), /: none differ/u],
	['one that changes', rehearsal({changes: 1}), /: 1 differs/u],
	['more calls than were tried', rehearsal({reach: 'newest-calls'}), /the newest 1,234 recorded calls since/u],
	['a rule that is left out', rehearsal({}, 'allows a/b'), /without +✔ 1,000 allowed[^\n]+\s+with +✔ 900 allowed/u],
	[
		'rules that cannot be read',
		unfinished({state: 'failed', reason: 'config.yaml:4:7: tol'}),
		/✖ config\.yaml:4:7: tol/u,
	],
	['a beginning', unfinished({state: 'running', calls: 2500}), /2,500 so far · Esc cancels/u],
])('with %s it says so', (_, event, words) => {
	expect(shown([event], ['t'], small)).toMatch(words);
});

test('its details say what was compared, what is not counted, and that nothing was sent', () => {
	const frame = shown([rehearsal({changes: 900}, 'denies wipe of any server')], ['t', '\r'], small);
	expect(frame).toMatch(/without +denies wipe of any server/u);
	expect(frame).toMatch(/with +900 allowed, 200 asked about, 130 denied: with all rules/u);
	expect(frame).toMatch(/no verdict +4 calls then/u);
	expect(frame).toMatch(/changes +900, the newest 2 are listed/u);
	expect(frame).toMatch(/nothing was sent/u);
	expect(frame).toMatch(/left out +approvals for a run or until Sluice stops/u);
});

test('equal calls that follow each other are one row with their number, which Enter opens', () => {
	const read = {server: 'files', tool: 'read', before: 'ask', after: 'allow', rule: 'allows files/read'} as const;
	const wiped = {server: 'files', tool: 'wipe', before: 'allow', after: 'deny'} as const;
	const reads = [0, 1, 2].map(index => ({...read, callId: `r${index}`, time: sampleTime - index * 1000}));
	const found = rehearsal({changes: 4, changed: [...reads, {...wiped, callId: 'w', time: sampleTime - 9000}]});
	const rows = (...keys: readonly string[]) => shown([found], ['t', ...keys], small).split('\n');
	const ofReads = (lines: readonly string[]) => lines.filter(line => line.includes('files/read'));
	expect(rows().join('\n')).toContain('Rules on recorded calls · 4');
	expect(ofReads(rows()).map(line => line.trimEnd().slice(-4))).toEqual([' × 3']);
	expect(ofReads(rows('j', 'j', 'j', '\r'))).toHaveLength(4);
	expect(ofReads(rows('j', 'j', 'j', '\r', '\u001B'))).toHaveLength(1);
	expect(rows('j', 'j', 'j').join('\n')).toMatch(/> .*files\/read/u);
});

describe('in the window', () => {
	test('t tries the rules, Enter opens a call of the journal, and Esc leads back to the rules', async () => {
		const {press, sent, shows, dispatch} = await openWith([list], [['R', 'github/merge']]);
		await press('t');
		await shows('asking the gateway');
		expect(sent.at(-1)).toEqual({method: 'rules.rehearse', params: {}, profile: undefined});
		await dispatch(rehearsal());
		await shows('2 differ');
		await press('G');
		await shows('> 11-14');
		await press('\r');
		await shows('call-old');
		expect(sent.at(-1)).toMatchObject({
			method: 'traces.view',
			params: {subject: {kind: 'call', id: 'call-old'}},
			profile: 'default',
		});
		await press('\u001B');
		await shows('2 differ');
		await press('\u001B');
		await shows('with any arguments');
		expect(sent.at(-1)).toMatchObject({method: 'traces.view', params: {}});
	});

	test('one that runs is cancelled when its list is left, by whatever key', async () => {
		for (const key of ['\u001B', '3']) {
			const {press, sent, shows} = await openWith(
				[list, unfinished({state: 'running', calls: 250})],
				[
					['R', 'github/merge'],
					['t', '250 so far'],
				],
			);
			await press(key);
			await shows(key === '3' ? '─ 3 Events' : 'with any arguments');
			expect(sent.at(-1)).toEqual({aborted: 'rules.rehearse'});
		}
	});

	test('w asks what would change without the picked rule', async () => {
		const {press, sent, shows} = await openWith([list], [['R', 'github/merge']]);
		await press('w');
		await shows('asking the gateway');
		expect(sent.at(-1)).toEqual({method: 'rules.rehearse', params: {without: 'stored1'}, profile: 'default'});
	});

	test('w means nothing where no rule is picked', () => {
		const frame = frameAfter([started(), rules()], ['R'], small).join('\n');
		expect(frame).toContain('t try on calls');
		expect(frame).not.toContain('w without it');
	});
});

test('a read-only dashboard may look', () => {
	const frame = shown([rehearsal({since: sampleTime})], ['t'], {...small, readOnly: true});
	expect(frame).toContain('2 differ');
	expect(shown([], [], {...small, readOnly: true})).toContain('t try on calls');
});
