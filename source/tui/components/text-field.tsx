import {TextInput} from '@inkjs/ui';
import {type JSX} from 'react';
import {type TextField as Field} from '../state/mode.ts';

type TextFieldProps = {
	readonly field: Field;
	readonly placeholder?: string;
	readonly suggestions?: string[];
	/** Both must stay the same function between frames. */
	readonly onChange: (text: string) => void;
	readonly onSubmit: (text: string) => void;
};

/** A line to type into. A new revision of the field starts the input anew from its value. */
export function TextField({field, ...rest}: TextFieldProps): JSX.Element {
	return <TextInput key={field.revision} defaultValue={field.value} {...rest} />;
}
