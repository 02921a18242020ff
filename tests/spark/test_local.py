"""Spark on two threads of this machine: the functions and the stages of pipelines as users call them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")

import bayleaf
from bayleaf import RecordClassifier, TextClassifier
from bayleaf.archive import Archive
from bayleaf.spark import NaiveBayes, TextNB, TextNBModel, fit, transform

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]  # Spark warns of pandas 3 at every turn

BODY = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch", "money money", "noon"] * 5
KIND = ["spam", "spam", "ham", "ham", "spam", "ham"] * 5
NEW = ["money offer", "noon lunch", None]


@pytest.fixture(scope="module")
def mails(spark: Any) -> Any:
    rows = [(i, body, kind) for i, (body, kind) in enumerate(zip(BODY, KIND, strict=True))]
    return spark.createDataFrame(rows, "id bigint, body string, kind string").repartition(3).cache()


@pytest.fixture(scope="module")
def one() -> TextClassifier:
    return TextClassifier().fit(BODY, KIND)


def test_the_model_is_that_of_one_machine(mails: Any, one: TextClassifier, tmp_path: Path) -> None:
    model = fit(mails, text="body", label="kind", shards=2, path=tmp_path / "model")
    assert Archive.read(tmp_path / "model").hash == one._archive().hash
    assert model.predict(["noon lunch"]).tolist() == ["ham"]


def test_rows_are_judged_as_on_one_machine(spark: Any, one: TextClassifier, tmp_path: Path) -> None:
    new = spark.createDataFrame([(i, text) for i, text in enumerate(NEW)], "id int, body string")
    one.save(tmp_path / "model")
    for model in (one, tmp_path / "model"):
        judged = transform(new, model, text="body").orderBy("id").collect()
        assert [row.prediction for row in judged] == one.predict(["money offer", "noon lunch", ""]).tolist()
        wanted = one.predict_proba(["money offer", "noon lunch", ""])
        assert np.array_equal([row.probability for row in judged], wanted)


def test_fields_are_found_by_name(spark: Any) -> None:
    one = TextClassifier().fit({"title": BODY, "body": BODY[::-1]}, KIND)
    df = spark.createDataFrame([("money", "noon"), ("noon", "money")], "body string, title string")
    judged = transform(df, one, prediction="guess").collect()
    wanted = one.predict({"body": [row.body for row in judged], "title": [row.title for row in judged]})
    assert [row.guess for row in judged] == wanted.tolist()


def test_records_are_learned_and_judged(spark: Any) -> None:
    columns = {"price": [900.0, 1200.0, 15.0, None, 20.0, 800.0] * 5, "colour": ["grey", "grey", "red"] * 10}
    kinds = [1, 1, 2, 2, 2, 1] * 5
    rows = list(zip(*columns.values(), kinds, strict=True))
    df = spark.createDataFrame(rows, "price double, colour string, kind int").repartition(2)
    model, one = fit(df, label="kind", shards=1), RecordClassifier().fit(columns, kinds)
    assert model.columns_ == one.columns_ == {"price": "number", "colour": "category"}
    judged = transform(df, model).collect()
    wanted = one.predict({name: [row[name] for row in judged] for name in columns}).tolist()
    assert [row.prediction for row in judged] == wanted


@pytest.mark.parametrize("name", ["mail.body", "a`b", "my body"])
def test_names_of_columns_are_not_read_as_expressions(spark: Any, name: str) -> None:
    rows = spark.createDataFrame(list(zip(BODY, KIND, strict=True)), ["x", "y"]).toDF(name, "the.kind")
    model = fit(rows, text=name, label="the.kind", shards=1)
    assert transform(rows, model, text=name, prediction="my.guess").where("`my.guess` = `the.kind`").count() == 30
    stage = NaiveBayes(featureCols=[name], columns={name: "text"}, labelCol="the.kind", probabilityCol="how.sure")
    judged = stage.fit(rows).transform(rows)
    assert judged.columns == [name, "the.kind", "prediction", "how.sure"]
    assert judged.where("prediction = `the.kind`").count() == 30


def test_stages_refuse_columns_that_are_not_there(mails: Any) -> None:
    with pytest.raises(bayleaf.BayleafError, match="no column 'boy', expected one of id, body, kind"):
        NaiveBayes(featureCols=["boy"], labelCol="kind").fit(mails)
    with pytest.raises(TypeError, match="featureCols"):
        NaiveBayes(featureCols="body")  # type: ignore[arg-type]


def test_stages_fit_a_pipeline_and_can_be_saved(spark: Any, mails: Any, one: TextClassifier, tmp_path: Path) -> None:
    from pyspark.ml import Pipeline, PipelineModel

    stages = Pipeline(stages=[TextNB(textCol="body", labelCol="kind", predictionCol="guess", settings={"n_jobs": 1})])
    stages.write().overwrite().save(str(tmp_path / "unfitted"))
    fitted = Pipeline.load(str(tmp_path / "unfitted")).fit(mails)
    fitted.save(str(tmp_path / "fitted"))
    again = PipelineModel.load(str(tmp_path / "fitted"))
    assert isinstance(again.stages[0], TextNBModel)
    assert again.stages[0].model._archive().hash == one._archive().hash
    for row in again.transform(mails).collect():
        assert row.guess == row.kind
        assert np.array_equal(row.probability.toArray(), one.predict_proba([row.body])[0])


def test_indexed_labels_can_be_evaluated_by_spark(mails: Any) -> None:
    from pyspark.ml import Pipeline
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.feature import StringIndexer

    nb = NaiveBayes(featureCols=["body"], columns={"body": "text"})
    fitted = Pipeline(stages=[StringIndexer(inputCol="kind", outputCol="label"), nb]).fit(mails)
    evaluator = MulticlassClassificationEvaluator(metricName="accuracy")
    assert evaluator.evaluate(fitted.transform(mails)) == 1.0


def test_what_cannot_be_judged_is_refused_before_a_job_starts(mails: Any, one: TextClassifier) -> None:
    with pytest.raises(bayleaf.BayleafError, match="no column 'text', expected one of id, body, kind"):
        transform(mails, one, text="text")
    with pytest.raises(bayleaf.BayleafError, match="Pass text="):
        transform(mails, one)
    with pytest.raises(bayleaf.BayleafError, match="column 'id' of type bigint, expected string"):
        transform(mails, one, text="id")
    with pytest.raises(bayleaf.BayleafError, match="the name 'kind' for two columns"):
        transform(mails, one, text="body", prediction="kind")
    with pytest.raises(bayleaf.BayleafError, match="the name 'guess' for two columns"):
        transform(mails, one, text="body", prediction="guess", probability="guess")
    with pytest.raises(bayleaf.BayleafError, match="Found a GaussianNB, expected a TextClassifier or a RecordClass"):
        transform(mails, bayleaf.GaussianNB().fit([[1.0], [2.0]], ["a", "b"]))
    with pytest.raises(bayleaf.NoFileError):
        transform(mails, "nowhere.bayleaf", text="body")


def test_what_a_worker_refuses_is_refused_in_the_same_words(spark: Any) -> None:
    df = spark.createDataFrame([("1.5", "a"), ("tall", "b")], "size string, kind string")
    with pytest.raises(
        bayleaf.BadValueError, match=r"Found 'tall' in row . of column 'size', expected a finite number"
    ):
        fit(df, label="kind", columns={"size": "number"}, shards=1)


def test_a_stream_is_refused(spark: Any) -> None:
    rows = spark.readStream.format("rate").load().selectExpr("cast(value as string) body", "'a' kind")
    with pytest.raises(bayleaf.BayleafError, match="Found a streaming data frame, expected one that ends"):
        fit(rows, text="body", label="kind")


def test_fractions_are_no_labels(spark: Any) -> None:
    rows = spark.createDataFrame([("tea", 0.5), ("milk", 1.0)], "body string, kind double")
    with pytest.raises(bayleaf.BayleafError, match=r"Found 0\.5 in y, expected text, whole numbers or truth values"):
        fit(rows, text="body", label="kind")
