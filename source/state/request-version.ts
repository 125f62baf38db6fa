import {createHash} from 'node:crypto';
import {type MethodName} from './api.ts';
import {type RequestDeadline} from './approval-event.ts';
import {type Snapshot} from './snapshot.ts';

/** The methods that decide about a request, and the rows it is among. */
const requestMethods = {
	'approvals.allow': 'approvals',
	'approvals.deny': 'approvals',
	'rules.store': 'approvals',
	'questions.answer': 'questions',
	'proposals.answer': 'proposals',
	'uncertain.resolve': 'uncertain',
	'uncertain.repeat': 'uncertain',
	'runs.answer': 'runs',
	'runs.close': 'runs',
} as const satisfies Partial<Record<MethodName, keyof Snapshot>>;

/** A method that decides about a request. */
export type RequestMethod = keyof typeof requestMethods;

/** True for a method that decides about a request. */
export function isRequestMethod(method: MethodName): method is RequestMethod {
	return Object.hasOwn(requestMethods, method);
}

/**
A digest of the request that a method decides about, as a snapshot has it, besides its deadline; undefined when the snapshot does not have it. A console sends that of the
request it has shown, and the gateway compares it with its own (docs/dashboard.md, Attached).
*/
export function requestVersion(method: RequestMethod, id: string, snapshot: Snapshot): string | undefined {
	const row = requestOf(method, id, snapshot);
	return row && createHash('sha256').update(JSON.stringify(row)).digest('base64url');
}

/** A deadline begins to run or stands still without anything else of the request being another. */
function withoutDeadline(row: RequestDeadline | undefined): object | undefined {
	if (!row) {
		return undefined;
	}

	const {expiresAt: _, left: _left, ...rest} = row;
	return rest;
}

function requestOf(method: RequestMethod, id: string, snapshot: Snapshot): object | undefined {
	switch (requestMethods[method]) {
		case 'approvals':
			return withoutDeadline(snapshot.approvals.find(row => row.id === id));
		case 'questions':
			return withoutDeadline(snapshot.questions.find(row => row.id === id));
		case 'proposals':
			return snapshot.proposals.find(row => row.id === id);
		case 'uncertain':
			return snapshot.uncertain.find(({callId}) => callId === id);
		case 'runs':
			return snapshot.runs.find(({runId}) => runId === id);
	}
}
