import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {protocolText} from '../../state/entities/server.ts';
import {actionCommands, unnamedStep} from '../../state/next-action.ts';
import {safeText} from '../../util/safe-text.ts';

/** The server that was tried, and the profile and the state directory that the commands in a text are for. */
type TriedName = {readonly name: string; readonly profile?: string; readonly home?: string | undefined};

/** The result of a probe in one line; below it the last stderr of a failed server. */
export function answerText(tried: TriedName, report: ProbeReport): string {
	const {name} = tried;
	const {state, transport, protocolVersion, latencyMs, tools, reason} = report;
	if (state !== 'connected') {
		const next = unnamedStep(nextStep(report, tried), reason);
		const answer = safeText(`${name} ${state}: ${[reason, next].filter(Boolean).join(' · ')}`);
		return [answer, ...outputLines(report)].join('\n');
	}

	return safeText(`${name} answers: ${probeFacts({transport, protocolVersion, latencyMs, tools: tools.length})}`);
}

/** The next step in commands: a probed server is not in the dashboard. */
function nextStep({nextActions}: Pick<ProbeReport, 'nextActions'>, {profile, home}: TriedName): string | undefined {
	return actionCommands(nextActions, {profile, home, retry: 'test'});
}

/** The end of the stderr of a server that does not run, and where all of it is; these texts are safe to show already. */
export function outputLines({
	stderr = [],
	log,
}: {
	readonly stderr?: readonly string[] | undefined;
	readonly log?: string | null | undefined;
}): readonly string[] {
	return [...stderr.map(line => `  │ ${line}`), ...(log ? [`  log: ${log}`] : [])];
}

/** `http, MCP 2025-11-25, 34 ms, 14 tools`. */
export function probeFacts({
	transport,
	protocolVersion,
	latencyMs,
	tools,
}: Pick<ProbeReport, 'transport' | 'protocolVersion' | 'latencyMs'> & {readonly tools: number}): string {
	const facts = [
		transport,
		protocolText(protocolVersion),
		latencyMs === undefined ? undefined : `${Math.round(latencyMs)} ms`,
		tools === 1 ? '1 tool' : `${tools} tools`,
	];
	return facts.filter(Boolean).join(', ');
}

/** The same for programs. */
export function probeJson(
	tried: TriedName,
	{state, reason, transport, era, protocolVersion, latencyMs, tools, ...report}: ProbeReport,
): JsonObject {
	return {
		state,
		reason: reason ?? null,
		next_action: nextStep(report, tried) ?? null,
		transport,
		era: era ?? null,
		protocol_version: protocolVersion ?? null,
		latency_ms: latencyMs ?? null,
		stderr: [...(report.stderr ?? [])],
		log: report.log ?? null,
		tools: tools.map(tool => tool.name),
	};
}
