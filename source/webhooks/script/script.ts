import {dirname} from 'node:path';
import {type Clock} from '../../util/clock.ts';
import {cutText, type JsonValue} from '../../util/json-text.ts';
import {type Outcome} from '../http/outcome.ts';
import {createReadingSlots} from '../http/reading-slots.ts';
import {findScript} from './script-file.ts';
import {readScriptOutput} from './script-output.ts';
import {type ProcessEnd, runProcess} from './script-process.ts';
import {type TemplateScope} from '../template/template.ts';

/** Where scripts lie and what runs them. */
export type ScriptSettings = {
	/** The profile's folder of scripts. */
	readonly directory: string;
	/** The Python interpreter: SLUICE_PYTHON, else python3. */
	readonly python: () => string;
	/** What a script inherits; none of the gateway's secrets. */
	readonly environment: Readonly<Record<string, string>>;
	/** Called before a process starts; the returned function is told of its group, so that none outlives a gateway that is killed, and answers what takes it back. */
	readonly guard: () => (group: number) => () => void;
};

/** What a script wrote, up to 4,000 characters, or why it did no work; and the payload it left, or how the request ends. */
export type ScriptEnd = {
	readonly output: string;
	readonly result: {readonly kind: 'payload'; readonly payload: JsonValue} | Outcome;
};

/** Never rejects. */
export type RunScript = (
	script: {readonly file: string; readonly profile: string | undefined},
	scope: TemplateScope,
) => Promise<ScriptEnd>;

const tracedCharacters = 4000;
const longestMilliseconds = 30_000;
const mostOutputBytes = 1_048_576;
const mostAtOnce = 16;

/** Runs the scripts of routes: one process each, at most sixteen at once per route (docs/webhooks.md, Scripts). */
export function createScripts(options: {
	readonly settings: ScriptSettings;
	/** The settings of another profile; undefined when it is not served. */
	readonly settingsOf?: (profile: string) => ScriptSettings | undefined;
	readonly clock: Clock;
	/** Aborts when requests under way are given up. */
	readonly signal: AbortSignal;
	/** Told why a script could not do its work. */
	readonly reportFault: (route: string, fault: string) => void;
}): RunScript {
	const {reportFault} = options;
	const slots = createReadingSlots(mostAtOnce);
	return async (script, scope) => {
		const {route, payload} = scope;
		const giveBack = slots.take(route);
		if (!giveBack) return {output: '', result: {kind: 'queue-full'}};
		const end = await run(script, scope, options).finally(giveBack);
		if (end.kind === 'aborted') return {output: '', result: {kind: 'stopping'}};
		const ignored: Outcome = {kind: 'script-ignored', route};
		if (end.kind !== 'ended' || end.code !== 0) {
			const fault = faultOf(end);
			reportFault(route, fault);
			return {output: cutText(fault, tracedCharacters), result: ignored};
		}

		const {output} = end;
		const changed = readScriptOutput(output, payload);
		return {
			output: cutText(output, tracedCharacters),
			result: changed === undefined ? ignored : {kind: 'payload', payload: changed},
		};
	};

	async function run(
		{file: name, profile}: Parameters<RunScript>[0],
		scope: TemplateScope,
		place: {readonly clock: Clock; readonly signal: AbortSignal},
	): Promise<ProcessEnd> {
		const settings = (profile === undefined ? undefined : options.settingsOf?.(profile)) ?? options.settings;
		const file = await findScript(settings.directory, name);
		if (file === undefined) {
			return {kind: 'not-started', reason: 'there is no such file below scripts/'};
		}

		const request = {
			command: /\.(?:sh|bash)$/u.test(file) ? 'bash' : settings.python(),
			args: [file],
			directory: dirname(file),
			environment: {...settings.environment, ...eventVariables(scope)},
			input: JSON.stringify(scope.payload),
			milliseconds: longestMilliseconds,
			outputBytes: mostOutputBytes,
		};
		return runProcess(request, {...place, guard: settings.guard});
	}
}

/** No variable can hold a NUL, and the event type comes from the payload. */
function eventVariables({event, route, deliveryId}: TemplateScope): Record<string, string> {
	return {
		SLUICE_EVENT_TYPE: event.replaceAll('\0', ''),
		SLUICE_ROUTE: route.replaceAll('\0', ''),
		SLUICE_DELIVERY_ID: deliveryId.replaceAll('\0', ''),
	};
}

function faultOf(end: Exclude<ProcessEnd, {readonly kind: 'aborted'}>): string {
	switch (end.kind) {
		case 'ended':
			return `it ended ${end.code === null ? 'by a signal' : `with code ${end.code}`}${end.errors === '' ? '' : `: ${end.errors}`}`;
		case 'not-started':
			return end.reason;
		case 'timed-out':
			return `it took longer than ${longestMilliseconds / 1000} seconds`;
		case 'too-much-output':
			return 'it wrote more than 1 MB';
	}
}
