import {type Origin} from '../state/origin.ts';
import {type CallTool, type ToolOutcome} from '../tools/call-tool.ts';
import {type RegisteredTool} from '../tools/catalogue.ts';
import {callOutcome} from '../tools/tool-outcome.ts';
import {type UntrustedTexts} from '../tools/untrusted-texts.ts';
import {type AgentTool, type AgentToolResult, errorResult} from './agent-tool.ts';
import {type ImageFile, readImage} from './built-ins/image-file.ts';

export type ServerToolsOptions = {
	/** The only way to the tools. */
	readonly callTool: CallTool;
	readonly origin: Origin;
	/** Outsiders' text in the run; empty: none. */
	readonly untrusted: string;
	/** The texts that the run has read so far and outsiders may have written. */
	readonly untrustedTexts: Pick<UntrustedTexts, 'holds'>;
	/** The folder for images in results. */
	readonly mediaFolder: string;
};

const maxImages = 4;

/** Wraps a server's tool as a tool of the run. Each call goes through `callTool`, where it waits for an approval if it needs one. */
export function serverTool(tool: RegisteredTool, options: ServerToolsOptions): AgentTool {
	const {callTool, origin, untrusted, untrustedTexts, mediaFolder} = options;
	const {description = '', inputSchema} = tool.definition;
	return {
		name: tool.name,
		description,
		inputSchema,
		async run(input, {signal, onWaiting, resume}) {
			const onAsking = (asking: boolean) => onWaiting(asking ? 'approval' : 'nothing');
			const onHeld = (held: boolean) => onWaiting(held ? 'release' : 'nothing');
			const onQuestion = (isOpen: boolean) => onWaiting(isOpen ? 'answer' : 'nothing');
			const words = untrusted === '' ? {} : {untrusted};
			const call = {name: tool.name, arguments: input, origin, ...words};
			const outcome = await callTool(call, {signal, onAsking, onHeld, onQuestion, resume, untrustedTexts});
			return toResult(outcome, mediaFolder);
		},
	};
}

async function toResult(outcome: ToolOutcome, mediaFolder: string): Promise<AgentToolResult> {
	if (outcome.kind === 'error') {
		const {code, message, server, outcomeUncertain, needsReauth} = outcome.error;
		return errorResult(callOutcome(outcome), {
			code,
			message,
			server,
			outcome_uncertain: outcomeUncertain,
			needs_reauth: needsReauth,
		});
	}

	const {result, structuredContent, media = []} = outcome;
	const structure = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
	const images = await Promise.all(media.slice(0, maxImages).map(path => readImage(path, mediaFolder).catch(noImage)));
	return {
		outcome: 'ok',
		text: [result, ...structure].filter(text => text !== '').join('\n'),
		images: images.filter(image => image !== undefined),
	};
}

/** Audio and files are media too; their paths are in the text. */
function noImage(): ImageFile | undefined {
	return undefined;
}
