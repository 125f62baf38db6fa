import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';

/** How a server answered, in one line. */
export function answerText(name: string, report: ProbeReport): string {
	const {state, transport, era, latencyMs, tools, reason, nextAction} = report;
	if (state !== 'connected') {
		return safeText(`${name} ${state}: ${[reason, nextAction].filter(Boolean).join(' · ')}`);
	}

	return safeText(`${name} answers: ${probeFacts({transport, era, latencyMs, tools: tools.length})}`);
}

/** `http, legacy protocol, 34 ms, 14 tools`. */
export function probeFacts({
	transport,
	era,
	latencyMs,
	tools,
}: Pick<ProbeReport, 'transport' | 'era' | 'latencyMs'> & {readonly tools: number}): string {
	const facts = [
		transport,
		era && `${era} protocol`,
		latencyMs === undefined ? undefined : `${Math.round(latencyMs)} ms`,
		tools === 1 ? '1 tool' : `${tools} tools`,
	];
	return facts.filter(Boolean).join(', ');
}

/** The same for programs. */
export function probeJson({state, reason, nextAction, transport, era, latencyMs, tools}: ProbeReport): JsonObject {
	return {
		state,
		reason: reason ?? null,
		next_action: nextAction ?? null,
		transport,
		era: era ?? null,
		latency_ms: latencyMs ?? null,
		tools: tools.map(tool => tool.name),
	};
}
