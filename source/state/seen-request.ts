import {createHash} from 'node:crypto';
import {type Command} from './command.ts';
import {type Snapshot} from './snapshot.ts';

/**
A digest of the request a command is about, as a snapshot has it; undefined for a command about anything else, or when the snapshot does not
have the request. A console sends what it has shown, and the gateway compares it with its own (docs/dashboard.md, Attached).
*/
export function seenRequest(command: Command, snapshot: Snapshot): string | undefined {
	const row = requestOf(command, snapshot);
	return row && createHash('sha256').update(JSON.stringify(row)).digest('base64url');
}

function requestOf(command: Command, snapshot: Snapshot): object | undefined {
	if (command.type === 'answer-approval' || command.type === 'store-rule') {
		return snapshot.approvals.find(({id}) => id === command.id);
	}

	if (command.type === 'answer-question') {
		return snapshot.questions.find(({id}) => id === command.id);
	}

	if (command.type === 'answer-proposal') {
		return snapshot.proposals.find(({id}) => id === command.id);
	}

	if (command.type === 'resolve-uncertain' || command.type === 'repeat-uncertain') {
		return snapshot.uncertain.find(({callId}) => callId === command.callId);
	}

	return command.type === 'answer-inbox' || command.type === 'close-inbox-item'
		? snapshot.runs.find(({runId}) => runId === command.runId)
		: undefined;
}
