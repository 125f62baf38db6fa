import {type EndpointTools} from '../tools/endpoint/endpoint-tools.ts';
import {errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {type ToolService} from './tool-service.ts';

/** The tools of a profile as programs outside get them, over HTTP and over stdio. */
export function endpointTools(parts: {
	readonly context: Pick<ProfileContext, 'clock' | 'redactor' | 'version'>;
	readonly tools: Pick<ToolService, 'catalogue' | 'callTool' | 'firstSettled'>;
}): EndpointTools {
	const {clock, redactor, version} = parts.context;
	const {catalogue, callTool, firstSettled} = parts.tools;
	return {...catalogue, callTool, ready: firstSettled, redact: redactor.redact, clock, version};
}

/** Where the library that speaks to clients tells what it could not do: mostly clients that went away in the middle. */
export function reportTo({publish}: Pick<ProfileContext, 'publish'>): (error: Error) => void {
	return error => publish({type: 'log', level: 'debug', area: 'endpoint', text: safeText(errorText(error))});
}
