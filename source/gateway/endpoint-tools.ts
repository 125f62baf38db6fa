import {type EndpointTools} from '../tools/endpoint/endpoint-tools.ts';
import {errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Foundation} from './foundation.ts';
import {type ToolWing} from './tool-wing.ts';

/** The tools of a profile as programs outside get them, over HTTP and over stdio. */
export function endpointTools(parts: {
	readonly foundation: Pick<Foundation, 'clock' | 'redactor' | 'version'>;
	readonly tools: Pick<ToolWing, 'catalogue' | 'callTool' | 'firstSettled'>;
}): EndpointTools {
	const {clock, redactor, version} = parts.foundation;
	const {catalogue, callTool, firstSettled} = parts.tools;
	return {...catalogue, callTool, ready: firstSettled, clean: redactor.clean, clock, version};
}

/** Where the library that speaks to clients tells what it could not do: mostly clients that went away in the middle. */
export function reportTo({publish}: Pick<Foundation, 'publish'>): (error: Error) => void {
	return error => publish({type: 'log', level: 'debug', area: 'endpoint', text: safeText(errorText(error))});
}
