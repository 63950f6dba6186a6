import {
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from "kysely";

/**
 * Every text column that a migration makes is compared and ordered byte by byte, as in SQLite: not in an order that
 * depends on the server's language, and that may change with its operating system.
 */
export class CCollation implements KyselyPlugin {
  readonly #transformer = new TextColumns();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId);
  }
  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

class TextColumns extends OperationNodeTransformer {
  protected override transformColumnDefinition(
    ...args: Parameters<OperationNodeTransformer["transformColumnDefinition"]>
  ): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(...args);
    const isText = DataTypeNode.is(column.dataType) && column.dataType.dataType === "text";
    return isText ? { ...column, dataType: RawNode.createWithSql('text collate "C"') } : column;
  }
}
