import {type EndpointTools} from '../tools/endpoint/endpoint-tools.ts';
import {type Foundation} from './foundation.ts';
import {type ToolWing} from './tool-wing.ts';

/** The tools of a profile as programs outside get them, over HTTP and over stdio. */
export function endpointTools({
	foundation,
	tools,
}: {
	readonly foundation: Foundation;
	readonly tools: Pick<ToolWing, 'catalogue' | 'callTool'>;
}): EndpointTools {
	const {clock, redactor, version} = foundation;
	return {...tools.catalogue, callTool: tools.callTool, clean: redactor.clean, clock, version};
}
