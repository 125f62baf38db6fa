import {expect, test} from 'vitest';
import {createPreapproval} from '../../source/approvals/preapproval.ts';
import {type NewApproval} from '../../source/approvals/approval-queue.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

const request: NewApproval = {
	kind: 'tool-call',
	server: 'garden',
	tool: 'add_task',
	registeredName: 'mcp__garden__add_task',
	trust: 'untrusted',
	transport: 'stdio',
	address: 'node garden.js',
	hints: {},
	description: '',
	arguments: {},
	sentBytes: 2,
	cutBytes: 0,
	maskedValues: 0,
	markedCharacters: 0,
	argumentsHash: 'hash',
	origin: {kind: 'command-line'},
};

test('consent holds for one call and names who gave it', async () => {
	const {publish} = recordEvents();
	const ask = createPreapproval({publish, clock: createFakeClock(), by: 'cli'});
	expect(await ask(request, {})).toEqual({kind: 'approved', scope: 'once', by: 'cli'});
});

test('consent is published like every other approval', async () => {
	const {publish, ofType} = recordEvents();
	await createPreapproval({publish, clock: createFakeClock(), by: 'cli'})(request, {});
	expect(ofType('approval.settled')).toEqual([
		expect.objectContaining({
			server: 'garden',
			tool: 'add_task',
			outcome: 'approved',
			scope: 'once',
			by: 'cli',
		}),
	]);
});

test('a caller who went away has not consented', async () => {
	const {publish} = recordEvents();
	const ask = createPreapproval({publish, clock: createFakeClock(), by: 'cli'});
	expect(await ask(request, {signal: AbortSignal.abort()})).toEqual({kind: 'cancelled'});
});
