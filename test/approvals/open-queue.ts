import {expect, onTestFinished} from 'vitest';
import {type NewApproval, createApprovalQueue, type ApprovalQueue} from '../../source/approvals/approval-queue.ts';
import {createWaitingTime} from '../../source/approvals/waiting-time.ts';
import {type Verdict} from '../../source/state/person-answers.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** A call that has to be approved. */
export const request: NewApproval = {
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
	sentBytes: 13,
	cutBytes: 0,
	maskedValues: 0,
	markedCharacters: 0,
	argumentsHash: 'hash-of-a',
	origin: {kind: 'command-line'},
};

/** Allowed, this once. */
export const approve: Verdict = {kind: 'approve', scope: 'once'};

/** Rows for other gateways, whose writing takes until it is told how it ends. */
export function createSlowRows() {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	return {
		rows: {
			node: () => 'web-1',
			write: () => promise,
			end: () => undefined,
			setDeadline: () => undefined,
			leave: () => undefined,
			lateMilliseconds: () => 0,
		},
		succeed: resolve,
		fail: () => reject(new Problem('storage_unavailable', {message: 'the database is away'})),
	};
}

/** Opens a queue that is closed when the test has ended, and must have no timer left then. */
export function openQueue(unattended: 'deny' | 'hold' = 'deny', rows?: ReturnType<typeof createSlowRows>['rows']) {
	const clock = createFakeClock();
	const {publish, ofType, events} = recordEvents();
	const time = createWaitingTime(clock);
	const approvals = createApprovalQueue({clock, time, publish, settings: {timeoutSeconds: 300, unattended}, rows});
	onTestFinished(() => {
		approvals.close();
		expect(clock.open()).toBe(0);
	});
	return {clock, time, approvals, ofType, events};
}

/** Asks, and answers what is shown and how it ends. */
export function askSomething(
	approvals: ApprovalQueue,
	options: {readonly signal?: AbortSignal} & Partial<NewApproval> = {},
) {
	const {signal, ...members} = options;
	const known = new Set(approvals.pending().map(card => card.id));
	const outcome = approvals.ask({...request, ...members}, {signal});
	const card = approvals.pending().find(card => !known.has(card.id));
	return {outcome, id: card?.id ?? 'none', card};
}
