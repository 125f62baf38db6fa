import {expect, onTestFinished} from 'vitest';
import {type ApprovalRequest, createDesk, type Desk} from '../../source/approvals/desk.ts';
import {type Verdict} from '../../source/state/command.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** A call that has to be approved. */
export const request: ApprovalRequest = {
	kind: 'tool-call',
	server: 'files',
	tool: 'write_file',
	registeredName: 'mcp__files__write_file',
	trust: 'untrusted',
	transport: 'stdio',
	address: 'files-server',
	hints: {},
	description: '',
	arguments: {path: '/a'},
	argumentsHash: 'hash-of-a',
	origin: {kind: 'command-line'},
};

/** Allowed, this once. */
export const approve: Verdict = {kind: 'approve', scope: 'once'};

/** Opens a desk that is closed when the test has ended, and must have no timer left then. */
export function openDesk(unattended: 'deny' | 'hold' = 'deny') {
	const clock = createFakeClock();
	const {publish, ofType, events} = recordEvents();
	const desk = createDesk({clock, publish, settings: {timeoutSeconds: 300, unattended}});
	onTestFinished(() => {
		desk.close();
		expect(clock.open()).toBe(0);
	});
	return {clock, desk, ofType, events};
}

/** Asks, and answers what is shown and how it ends. */
export function askSomething(desk: Desk, options: {readonly signal?: AbortSignal} & Partial<ApprovalRequest> = {}) {
	const {signal, ...members} = options;
	const known = new Set(desk.pending().map(card => card.id));
	const outcome = desk.ask({...request, ...members}, {signal});
	const card = desk.pending().find(card => !known.has(card.id));
	return {outcome, id: card?.id ?? 'none', card};
}
