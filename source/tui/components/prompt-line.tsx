import {Box, Text} from 'ink';
import {type JSX} from 'react';
import {type FieldHandlers} from '../state/screen.ts';
import {TextField} from './text-field.tsx';
import {type TextField as Field} from '../state/mode.ts';

type PromptLineProps = {
	readonly label: string;
	readonly field: Field;
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
				{/* Another label is another field: nothing that was typed into the one before stays. */}
				<TextField key={label} field={field} placeholder={placeholder} suggestions={suggestions} {...handlers} />
			</Box>
		</Box>
	);
}
