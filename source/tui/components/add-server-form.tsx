import {Box} from 'ink';
import {type JSX} from 'react';
import {LineText} from '../text/line-text.tsx';
import {PromptLine} from './prompt-line.tsx';
import {StatusLines} from './status-lines.tsx';
import {ruleLine, span} from '../text/span.ts';
import {type Mode} from '../state/mode.ts';

type AddServerFormProps = {
	readonly mode: Extract<Mode, {kind: 'add-server'}>;
	readonly width: number;
	readonly height: number;
};

const placeholders = {
	name: 'github',
	address: 'npx -y @modelcontextprotocol/server-filesystem .   or   https://example.com/mcp',
} as const;

/** The form for a new tool server: its name, then its command line or address. */
export function AddServerForm({mode, width, height}: AddServerFormProps): JSX.Element {
	const isNamed = mode.step === 'address';
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<LineText line={ruleLine('Add a tool server', width, 'strong')} width={width} />
			<LineText line={[]} width={width} />
			{isNamed ? <LineText line={[span(' name      ', 'dim'), span(mode.name, 'strong')]} width={width} /> : null}
			<PromptLine
				label={isNamed ? ' command or address  ' : ' name      '}
				field={mode.field}
				placeholder={placeholders[mode.step]}
				width={width}
			/>
			{mode.problem === '' ? (
				<LineText line={[]} width={width} />
			) : (
				<StatusLines lines={[[span(mode.problem, 'bad')]]} variant="error" width={width} />
			)}
			<LineText
				line={[span(' Enter continues, Esc leaves. The server starts as soon as it is added.', 'dim')]}
				width={width}
			/>
		</Box>
	);
}
