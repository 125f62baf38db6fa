import {TextInput} from '@inkjs/ui';
import {Box, Text} from 'ink';
import {type JSX} from 'react';
import {type TextField as Field} from '../state/mode.ts';
import {type FieldHandlers} from '../state/screen.ts';

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

type TextFieldProps = {
	readonly field: Field;
	readonly placeholder?: string;
	readonly suggestions?: string[];
	/** Both must stay the same function between frames. */
	readonly onChange: (text: string) => void;
	readonly onSubmit: (text: string) => void;
};

/** A line to type into. A new revision of the field starts the input anew from its value. */
function TextField({field, ...rest}: TextFieldProps): JSX.Element {
	return <TextInput key={field.revision} defaultValue={field.value} {...rest} />;
}
