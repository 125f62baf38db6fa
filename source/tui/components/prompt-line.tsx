import {TextInput} from '@inkjs/ui';
import {Box, Text} from 'ink';
import {type JSX} from 'react';
import {type TextField} from '../state/mode.ts';
import {type FieldHandlers} from '../state/screen.ts';

type PromptLineProps = {
	readonly label: string;
	readonly field: TextField;
	readonly placeholder: string;
	readonly suggestions?: string[];
	readonly handlers: FieldHandlers;
	readonly width: number;
};

/** A text field in one line, after its label. */
export function PromptLine(props: PromptLineProps): JSX.Element {
	const {label, field, placeholder, suggestions, handlers, width} = props;
	return (
		<Box width={width} height={1} flexShrink={0} overflow="hidden">
			<Box flexShrink={0}>
				<Text bold>{label}</Text>
			</Box>
			<Box flexGrow={1} height={1} overflow="hidden">
				{/* The input keeps what was typed: another label means another field, and a new revision resets it to its value. */}
				<TextInput
					key={`${field.revision} ${label}`}
					defaultValue={field.value}
					placeholder={placeholder}
					suggestions={suggestions}
					{...handlers}
				/>
			</Box>
		</Box>
	);
}
