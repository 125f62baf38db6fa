import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {runUnhold} from '../../../source/commands/gateway/hold.ts';
import {type HeldWork} from '../../../source/approvals/hold.ts';
import {commandCaller} from '../../../source/gateway/api/handler-context.ts';
import {holdHandlers} from '../../../source/gateway/api/hold.ts';
import {loadOpenProfile} from '../../../source/gateway/documents/open-profile.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {openContext, ownCore} from '../../commands/command-fixture.ts';
import {createTestRuntime} from '../../helpers/gateway-parts.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {openTestHold} from '../../helpers/open-hold.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

test('unhold prints what waits with its arguments, secrets masked and nothing hidden, and how much more waits', async () => {
	const context = await loadOpenProfile(createTestRuntime(temporaryDirectory()));
	const hold = openTestHold();
	await hold.hold({by: 'cli', reason: 'odd'});
	const wait = (work: Pick<HeldWork, 'kind' | 'arguments'>) =>
		void hold.pass({server: 'files', tool: 'write', origin: {kind: 'command-line'}, ...work}, {signal: neverAborted()});
	wait({kind: 'call', arguments: {path: '/srv/\u202Ea', token: 'abcdefgh'}});
	wait({kind: 'elicitation'});
	for (let count = 0; count < 60; count++) {
		wait({kind: 'call', arguments: {text: 'x'.repeat(100_000)}});
	}

	const live = {current: () => emptySnapshot};
	const methods = holdHandlers({
		profile: {context},
		caller: commandCaller,
		hold,
		live,
		journalFault: () => undefined,
		journalState: () => ({unreadable: []}),
		remote: {status: () => []},
	});
	const call = {
		signal: neverAborted(),
		note: () => undefined,
		noteText: () => undefined,
		takeOver: () => new PassThrough(),
	};
	const shown = await methods['hold.show']({}, call);
	expect(JSON.stringify(shown).length).toBeLessThan(500_000);
	const {context: command, stderr} = openContext({answer: 'no'});
	await runUnhold(command, ownCore({'hold.show': () => shown}).open);
	const lines = stderr().split('\n');
	expect(lines[0]).toMatch(/^Everything is held since .* by cli: odd$/u);
	expect(lines.slice(2, 11)).toEqual([
		'Waiting: 62 calls, 0 queued runs. Each call is checked again.',
		'  files/write, from command line',
		'    Not shown in full: 1 value masked.',
		'    1 character marked',
		'    {',
		'      "path": "/srv/‹U+202E›a",',
		expect.stringMatching(/^ {6}"token": "‹.*›"$/u),
		'    }',
		'  elicitation of files, from command line',
	]);
	expect(lines).toContain('  and 42 more');
	expect(stderr()).not.toContain('abcdefgh');
});
