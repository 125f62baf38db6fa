import {type GatewayEventBody} from '../state/event.ts';
import {safeOrigin} from '../state/origin.ts';
import {safeText} from '../util/safe-text.ts';
import {type ToolCall} from './validate-call.ts';
import {callOutcome, type ToolOutcome} from './tool-outcome.ts';

/** A call that has ended; `server` is empty when no such tool is known. */
export type FinishedCall = {
	readonly id: string;
	readonly call: ToolCall;
	readonly server: string;
	readonly tool: string;
	readonly outcome: ToolOutcome;
	readonly ms: number;
};

const summaryCharacters = 200;

/** The event that tells of it. */
export function finishedEvent({id, call, server, tool, outcome, ms}: FinishedCall): GatewayEventBody {
	const text = outcome.kind === 'result' ? outcome.result : outcome.error.message;
	return {
		type: 'tool.finished',
		callId: id,
		server,
		tool: short(tool),
		origin: safeOrigin(call.origin),
		ms: Math.round(ms),
		outcome: callOutcome(outcome),
		...(outcome.kind === 'error' ? {code: outcome.error.code} : {}),
		summary: short(text),
	};
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: summaryCharacters});
}
