import {isSpecType, type Tool} from '@modelcontextprotocol/server';
import {redactTexts} from '../../util/redact-texts.ts';
import {type RegisteredTool} from '../registered-tool.ts';

/**
A registered tool as `tools/list` names it: under its registered name, else as its server defines it. Members that the protocol does not
allow are left out; a tool that can be called is always listed.
*/
export function listedTool({name, definition}: RegisteredTool, redact: (text: string) => string): Tool {
	const {title, description, inputSchema, outputSchema, annotations} = definition;
	const plain = {
		name,
		...(title !== undefined && {title}),
		...(description !== undefined && {description}),
	};
	const whole: unknown = redactTexts(
		{...plain, inputSchema, ...(outputSchema && {outputSchema}), ...(annotations && {annotations})},
		redact,
	);
	return isSpecType.Tool(whole) ? whole : {...redactTexts(plain, redact), inputSchema: {type: 'object'}};
}
