//===- EvaluateWindowsTest.cpp - Tests of reduce_window and convolution ---===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/EvaluationTest.h"

using namespace mlir;
using namespace cleave::graph;

namespace {
using Ints = std::vector<int64_t>;
using Floats = std::vector<double>;

class WindowsTest : public EvaluationTest {};

TEST_F(WindowsTest, SumPool) {
  // numpy: sums over slices of the padded operand.
  expectNear(
      floats("tensor<2x4xf32>",
             "%z = cleave.constant dense<0.0> : tensor<f32>\n"
             "%r = cleave.reduce_window(%0) init(%z) {window_dimensions = "
             "array<i64: 2, 3>, window_strides = array<i64: 1, 2>, "
             "base_dilations = array<i64: 1, 1>, window_dilations = "
             "array<i64: 1, 1>, padding = array<i64: 0, 0, 1, 2>} : "
             "(tensor<3x7xf32>, tensor<f32>) -> tensor<2x4xf32> {\n"
             "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
             "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
             "    cleave.return %sum : tensor<f32>\n"
             "  }",
             {wave("tensor<3x7xf32>", 1)}),
      {6.304490286997432, -1.6765557852413924, -6.2230767117889805,
       3.5766909860827485, 3.52772251071438, -6.264361775029231,
       -1.6091217482111875, 6.32075056357039});
}

TEST_F(WindowsTest, MaximumWithHoles) {
  // Dilated, cut off at the front; padding takes part.
  expectNear(
      floats("tensor<3x4xf32>",
             "%z = cleave.constant dense<0.5> : tensor<f32>\n"
             "%r = cleave.reduce_window(%0) init(%z) {window_dimensions = "
             "array<i64: 1, 3>, window_strides = array<i64: 1, 3>, "
             "base_dilations = array<i64: 1, 2>, window_dilations = "
             "array<i64: 1, 2>, padding = array<i64: 0, 0, -1, 4>} : "
             "(tensor<3x7xf32>, tensor<f32>) -> tensor<3x4xf32> {\n"
             "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
             "    %sum = cleave.maximum %acc, %elt : tensor<f32>\n"
             "    cleave.return %sum : tensor<f32>\n"
             "  }",
             {wave("tensor<3x7xf32>", 1)}),
      {0.5, 0.5, 0.5, 1.3139731974375781, 0.5, 0.5, 0.5, 1.9812147113897405,
       0.5, 0.5, 0.5, 1.825890501455255});
}

TEST_F(WindowsTest, Convolution) {
  // numpy: sums of products over slices, as below.
  expectNear(
      floats("tensor<2x3x4x6xf32>",
             "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
             "2, 1>, padding = array<i64: 1, 0, 0, 1>, lhs_dilation = "
             "array<i64: 1, 1>, rhs_dilation = array<i64: 1, 2>, "
             "window_reversal = array<i1: false, false>, "
             "input_batch_dimension = 0, input_feature_dimension = 3, "
             "input_spatial_dimensions = array<i64: 1, 2>, "
             "kernel_input_feature_dimension = 2, "
             "kernel_output_feature_dimension = 3, "
             "kernel_spatial_dimensions = array<i64: 0, 1>, "
             "output_batch_dimension = 0, output_feature_dimension = 3, "
             "output_spatial_dimensions = array<i64: 1, 2>, "
             "feature_group_count = 1, batch_group_count = 1} : "
             "(tensor<2x6x5x4xf32>, tensor<3x2x4x6xf32>) -> "
             "tensor<2x3x4x6xf32>",
             {wave("tensor<2x6x5x4xf32>", 1), wave("tensor<3x2x4x6xf32>", 2)}),
      {-0.6317453383933556, 15.097039256256526,  16.945675582267807,
       3.214535926928927,   -13.472033235036452, -17.772477170173747,
       -13.480750309606636, -17.5930593857415,   -5.530390797175865,
       11.616893585609382,  18.083659579834965,  7.9243923534292335,
       18.254958227052434,  7.902142821672728,   -9.715866251354152,
       -18.4011526998989,   -10.16850421742009,  7.413020148094945,
       -7.233301526729061,  1.5886165136218655,  8.949967857629261,
       8.08276002822378,    -0.2157000955729833, -8.315846546251903,
       5.804930918012738,   -13.408530650897044, -20.29425097597934,
       -8.521530545479722,  11.085845769482379,  20.500946608979504,
       10.647720087727285,  20.766966196455975,  11.793159355934463,
       -8.023223809492343,  -20.463092005464212, -14.089287781996076,
       -19.724559542181286, -13.739859307110386, 4.877204210310165,
       19.010188669151148,  15.66529333555133,   -2.0822004465527737,
       9.415864383311536,   2.969156601570015,   -6.207380066687762,
       -9.676880128432664,  -4.249501227315733,  5.084849504616302,
       -18.090537731483696, -2.8745183510797236, 14.984319944786385,
       19.0666435871478,    5.619183045817489,   -12.994528473647108,
       5.46621516815322,    -13.687174652794674, -20.256639219603052,
       -8.202243106186376,  11.393257492475952,  20.5138496952548,
       10.944624381621168,  20.767587149970453,  11.496926067271996,
       -8.343955820885284,  -20.513443207444404, -13.822965511669402,
       -10.605825104721273, -10.66589644347551,  -0.9197917803999411,
       9.67196520373821,    11.371361984112273,  2.6159809980161253,
       10.144740162586032,  18.218245150373118,  9.541979564649264,
       -7.907138027719787,  -18.086469383038576, -11.637184197618723,
       -18.220613900344155, -11.56400844808997,  5.724493041180841,
       17.749922028242224,  13.456154560497081,  -3.209139353932905,
       13.67483592577159,   -3.100764442959263,  -17.02553628274125,
       -15.297108581454282, 0.4954102033911374,  15.832451131939953,
       -2.6325021295323454, 6.767428766268107,   9.945416863958421,
       3.9796345625651277,  -5.645005402625454,  -10.07965343391841,
       -6.3535497830247385, -20.125216918627252, -15.393852431436866,
       3.4905489888288352,  19.165755766256716,  17.22005507959936,
       18.46215390751533,   17.035164681861467,  -0.0538763906088402,
       -17.093383758017087, -18.417312928482435, -2.8084495282912396,
       -17.781788475074464, -2.1446365306924466, 15.464284349510114,
       18.855413515974245,  4.910962452046232,   -13.54860484222938,
       4.29526718034978,    -4.35065152335334,   -8.99660128054287,
       -5.3711173103538,    3.1925471447979934,  8.820998478208004,
       -9.850757065949612,  9.601764278678148,   20.22646782629389,
       12.255050133550512,  -6.983604134919899,  -19.801564968285504,
       -6.68725229663613,   -20.21282869410124,  -15.154823606445067,
       3.8364564149268654,  19.300516101140268,  17.01977029285563,
       18.592916675553106,  16.822208792338344,  -0.4147602749617052,
       -17.27040065822697,  -18.247714322851635, -2.448163592692671,
       -10.460346826901983, -5.454597810201127,  4.566083278032037,
       10.388728458014453,  6.66002460377431,    -3.191875156898846});
}

TEST_F(WindowsTest, FeatureGroupsReversedAndDilated) {
  // NCW x OIW -> NCW.
  expectNear(
      floats("tensor<2x6x8xf32>",
             "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
             "1>, padding = array<i64: 2, -1>, lhs_dilation = array<i64: "
             "2>, rhs_dilation = array<i64: 1>, window_reversal = "
             "array<i1: true>, input_batch_dimension = 0, "
             "input_feature_dimension = 1, input_spatial_dimensions = "
             "array<i64: 2>, kernel_input_feature_dimension = 1, "
             "kernel_output_feature_dimension = 0, "
             "kernel_spatial_dimensions = array<i64: 2>, "
             "output_batch_dimension = 0, output_feature_dimension = 1, "
             "output_spatial_dimensions = array<i64: 2>, "
             "feature_group_count = 2, batch_group_count = 1} : "
             "(tensor<2x4x5xf32>, tensor<6x2x3xf32>) -> tensor<2x6x8xf32>",
             {wave("tensor<2x4x5xf32>", 1), wave("tensor<6x2x3xf32>", 2)}),
      {4.132342820697348,     0.7872856511679549,   -2.494312664123503,
       -0.22100871035428626,  -4.307706998102141,   -1.0261086828106842,
       -2.160615384034317,    -0.8878090644335783,  4.447716079485609,
       1.9868501473482496,    -1.330153674193932,   0.08886824726362197,
       -4.273452790032141,    -1.890818709518259,   -3.2877591187520716,
       -2.132095664726294,    4.408786825260932,    3.0281432998534266,
       -0.060035405156150023, 0.3916660112527397,   -3.8987777826817958,
       -2.6049072018333623,   -4.153001846944746,   -3.206540746698919,
       -2.677226595411681,    -2.3037137234786287,  1.4825928296755289,
       1.6867760344110274,    4.604328982882615,    4.1264516852294175,
       3.4928663031784386,    2.772286686754824,    -2.285954344343396,
       -2.687635922556135,    0.2970735273167655,   1.746902810764734,
       4.247450310470299,     4.575347156123575,    4.292740866298131,
       3.197238426436873,     -1.7125842807440141,  -2.857462584866462,
       -0.9121104819155792,   1.667872310713581,    3.552222181392291,
       4.659773095610801,     4.750658153039995,    3.3674999860480908,
       0.11813204098253349,   -0.38000719557207047, -4.22933183386019,
       -1.073901413356027,    -1.576877245369286,   -0.7804556242505607,
       2.525351010372139,     0.230537466535354,    0.2608046926700638,
       -0.2574678339891059,   -4.399520333553303,   -2.0672528431461865,
       -2.8058613259776184,   -1.9764151219395987,  1.3674936448094164,
       -0.06847045232706495,  0.38270179205901655,  -0.1144187323570689,
       -4.21924556572379,     -2.8959280966088916,  -3.8113321019609265,
       -3.0149345240951653,   0.10070251948628561,  -0.3620240542112685,
       1.8815970112006195,    2.2403723817338017,   4.731349592809894,
       4.176513803177266,     2.9694567818747295,   2.2727876949597796,
       -1.5225408999644923,   -1.7205289385062612,  1.400302928151018,
       2.3739879726085693,    4.555314569974827,    4.652828925143762,
       3.9008372778596963,    2.653880421521737,    -0.3400518178868479,
       -1.7850335026507538,   0.807461516639601,    2.3184930425943793,
       4.016405800060744,     4.758502362403535,    4.5214793126432244,
       2.8235665551768614,    0.8695255970517057,   -1.7073433213351001});
}

TEST_F(WindowsTest, BatchGroups) {
  // The result is [feature, width, batch].
  expectNear(
      floats("tensor<4x4x2xf32>",
             "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
             "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
             "1>, rhs_dilation = array<i64: 1>, window_reversal = "
             "array<i1: false>, input_batch_dimension = 0, "
             "input_feature_dimension = 1, input_spatial_dimensions = "
             "array<i64: 2>, kernel_input_feature_dimension = 1, "
             "kernel_output_feature_dimension = 0, "
             "kernel_spatial_dimensions = array<i64: 2>, "
             "output_batch_dimension = 2, output_feature_dimension = 0, "
             "output_spatial_dimensions = array<i64: 1>, "
             "feature_group_count = 1, batch_group_count = 2} : "
             "(tensor<4x3x5xf32>, tensor<4x3x2xf32>) -> tensor<4x4x2xf32>",
             {wave("tensor<4x3x5xf32>", 1), wave("tensor<4x3x2xf32>", 2)}),
      {1.6072838218291086,  -2.4276079499395156, -0.6928846703652656,
       -1.0050415826818553, -2.356018192027186,  1.3415553807067728,
       -1.853039453273884,  2.4547325139732137,  4.053598846283038,
       -4.5387475157352,    0.301867081286183,   -3.2358983514193325,
       -3.7273998861138185, 1.0420208340816466,  -4.32971258800606,
       4.361910870253243,   3.3773347195259253,  1.1568923282901276,
       6.6418340862186565,  -4.882456836402421,  3.7998618244291733,
       -6.43289770230991,   -2.535685874779861,  -2.068962087541383,
       3.6431684833618503,  2.00165146844336,    8.139904828557558,
       -5.60044713000939,   5.152850213471855,   -8.053520464916717,
       -2.5717111242936,    -3.102224225092121});
}

TEST_F(WindowsTest, BodyOfTwoInputs) {
  // The first position of the maximum of three neighbours.
  StringRef body =
      "%p:2 = cleave.reduce_window(%0, %1) init(%z, %n) "
      "{window_dimensions = array<i64: 3>, window_strides = "
      "array<i64: 1>, base_dilations = array<i64: 1>, "
      "window_dilations = array<i64: 1>, padding = array<i64: 1, "
      "1>} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, "
      "tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>) {\n"
      "  ^bb0(%av: tensor<f32>, %ai: tensor<i32>, %ev: tensor<f32>, "
      "%ei: tensor<i32>):\n"
      "    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "    %rv = cleave.select %ge, %av, %ev : tensor<i1>, "
      "tensor<f32>\n"
      "    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, "
      "tensor<i32>\n"
      "    cleave.return %rv, %ri : tensor<f32>, tensor<i32>\n"
      "  }";
  EXPECT_EQ(ints("tensor<5xi32>",
                 ("%z = cleave.constant dense<0xFF800000> : tensor<f32>\n"
                  "%n = cleave.constant dense<0> : tensor<i32>\n" +
                  body + "\n%r = cleave.maximum %p#1, %p#1 : tensor<5xi32>")
                     .str(),
                 {tensor("tensor<5xf32>", Floats{3, 1, 4, 4, 2}),
                  tensor("tensor<5xi32>", Ints{1, 2, 3, 4, 5})}),
            Ints({1, 3, 3, 3, 4}));
}

TEST_F(WindowsTest, IntegersWrap) {
  EXPECT_EQ(ints("tensor<2xi8>",
                 "%r = cleave.reduce_window(%0) init(%1) {window_dimensions = "
                 "array<i64: 2>, window_strides = array<i64: 1>, "
                 "base_dilations = array<i64: 1>, window_dilations = "
                 "array<i64: 1>, padding = array<i64: 0, 0>} : (tensor<3xi8>, "
                 "tensor<i8>) -> tensor<2xi8> {\n"
                 "  ^bb0(%acc: tensor<i8>, %elt: tensor<i8>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<i8>\n"
                 "    cleave.return %sum : tensor<i8>\n"
                 "  }",
                 {tensor("tensor<3xi8>", Ints{100, 100, -128}),
                  tensor("tensor<i8>", Ints{1})}),
            Ints({-55, -27}));
  EXPECT_EQ(ints("tensor<2xui8>",
                 "%r = cleave.reduce_window(%0) init(%1) {window_dimensions = "
                 "array<i64: 2>, window_strides = array<i64: 1>, "
                 "base_dilations = array<i64: 1>, window_dilations = "
                 "array<i64: 1>, padding = array<i64: 0, 0>} : (tensor<3xui8>, "
                 "tensor<ui8>) -> tensor<2xui8> {\n"
                 "  ^bb0(%acc: tensor<ui8>, %elt: tensor<ui8>):\n"
                 "    %sum = cleave.maximum %acc, %elt : tensor<ui8>\n"
                 "    cleave.return %sum : tensor<ui8>\n"
                 "  }",
                 {tensor("tensor<3xui8>", Ints{100, 200, 3}),
                  tensor("tensor<ui8>", Ints{0})}),
            Ints({200, 200}));
  EXPECT_EQ(ints("tensor<2xi1>",
                 "%r = cleave.reduce_window(%0) init(%1) {window_dimensions = "
                 "array<i64: 2>, window_strides = array<i64: 1>, "
                 "base_dilations = array<i64: 1>, window_dilations = "
                 "array<i64: 1>, padding = array<i64: 0, 0>} : (tensor<3xi1>, "
                 "tensor<i1>) -> tensor<2xi1> {\n"
                 "  ^bb0(%acc: tensor<i1>, %elt: tensor<i1>):\n"
                 "    %sum = cleave.add %acc, %elt : tensor<i1>\n"
                 "    cleave.return %sum : tensor<i1>\n"
                 "  }",
                 {tensor("tensor<3xi1>", Ints{0, 0, 1}),
                  tensor("tensor<i1>", Ints{0})}),
            Ints({0, 1}));
}

TEST_F(WindowsTest, ConvolutionOfIntegers) {
  EXPECT_EQ(ints("tensor<1x2x1xi32>",
                 "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
                 "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
                 "1>, rhs_dilation = array<i64: 1>, window_reversal = "
                 "array<i1: false>, input_batch_dimension = 0, "
                 "input_feature_dimension = 2, input_spatial_dimensions = "
                 "array<i64: 1>, kernel_input_feature_dimension = 1, "
                 "kernel_output_feature_dimension = 2, "
                 "kernel_spatial_dimensions = array<i64: 0>, "
                 "output_batch_dimension = 0, output_feature_dimension = 2, "
                 "output_spatial_dimensions = array<i64: 1>, "
                 "feature_group_count = 1, batch_group_count = 1} : "
                 "(tensor<1x3x1xi8>, tensor<2x1x1xi8>) -> tensor<1x2x1xi32>",
                 {tensor("tensor<1x3x1xi8>", Ints{100, -3, 7}),
                  tensor("tensor<2x1x1xi8>", Ints{100, 5})}),
            Ints({9985, -265}));
  // Over i1 a sum is "or", even of an even number of ones.
  EXPECT_EQ(ints("tensor<1x2x1xi1>",
                 "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
                 "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
                 "1>, rhs_dilation = array<i64: 1>, window_reversal = "
                 "array<i1: false>, input_batch_dimension = 0, "
                 "input_feature_dimension = 2, input_spatial_dimensions = "
                 "array<i64: 1>, kernel_input_feature_dimension = 1, "
                 "kernel_output_feature_dimension = 2, "
                 "kernel_spatial_dimensions = array<i64: 0>, "
                 "output_batch_dimension = 0, output_feature_dimension = 2, "
                 "output_spatial_dimensions = array<i64: 1>, "
                 "feature_group_count = 1, batch_group_count = 1} : "
                 "(tensor<1x3x1xi1>, tensor<2x1x1xi1>) -> tensor<1x2x1xi1>",
                 {tensor("tensor<1x3x1xi1>", Ints{1, 1, 0}),
                  tensor("tensor<2x1x1xi1>", Ints{1, 1})}),
            Ints({1, 1}));
}

TEST_F(WindowsTest, NothingToAdd) {
  // No features: zeros, wherever windows are.
  EXPECT_EQ(
      floats("tensor<1x2x3xf32>",
             "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
             "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
             "1>, rhs_dilation = array<i64: 1>, window_reversal = "
             "array<i1: false>, input_batch_dimension = 0, "
             "input_feature_dimension = 2, input_spatial_dimensions = "
             "array<i64: 1>, kernel_input_feature_dimension = 1, "
             "kernel_output_feature_dimension = 2, "
             "kernel_spatial_dimensions = array<i64: 0>, "
             "output_batch_dimension = 0, output_feature_dimension = 2, "
             "output_spatial_dimensions = array<i64: 1>, "
             "feature_group_count = 1, batch_group_count = 1} : "
             "(tensor<1x3x0xf32>, tensor<2x0x3xf32>) -> tensor<1x2x3xf32>",
             {tensor("tensor<1x3x0xf32>", Floats{}),
              tensor("tensor<2x0x3xf32>", Floats{})}),
      Floats(6, 0));
  // A kernel of size 0 has a window at each position.
  EXPECT_EQ(
      floats("tensor<1x4x2xf32>",
             "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
             "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
             "1>, rhs_dilation = array<i64: 1>, window_reversal = "
             "array<i1: false>, input_batch_dimension = 0, "
             "input_feature_dimension = 2, input_spatial_dimensions = "
             "array<i64: 1>, kernel_input_feature_dimension = 1, "
             "kernel_output_feature_dimension = 2, "
             "kernel_spatial_dimensions = array<i64: 0>, "
             "output_batch_dimension = 0, output_feature_dimension = 2, "
             "output_spatial_dimensions = array<i64: 1>, "
             "feature_group_count = 1, batch_group_count = 1} : "
             "(tensor<1x3x1xf32>, tensor<0x1x2xf32>) -> tensor<1x4x2xf32>",
             {tensor("tensor<1x3x1xf32>", Floats{1, 2, 3}),
              tensor("tensor<0x1x2xf32>", Floats{})}),
      Floats(8, 0));
}

TEST_F(WindowsTest, NarrowSumsAreRoundedOnce) {
  // 256 + 1 + 1 in bf16, whose neighbour of 256 is 258.
  EXPECT_EQ(
      floats("tensor<1xbf16>",
             "%z = cleave.constant dense<0.0> : tensor<bf16>\n"
             "%r = cleave.reduce_window(%0) init(%z) {window_dimensions = "
             "array<i64: 3>, window_strides = array<i64: 1>, "
             "base_dilations = array<i64: 1>, window_dilations = "
             "array<i64: 1>, padding = array<i64: 0, 0>} : "
             "(tensor<3xbf16>, tensor<bf16>) -> tensor<1xbf16> {\n"
             "  ^bb0(%acc: tensor<bf16>, %elt: tensor<bf16>):\n"
             "    %sum = cleave.add %acc, %elt : tensor<bf16>\n"
             "    cleave.return %sum : tensor<bf16>\n"
             "  }",
             {tensor("tensor<3xbf16>", Floats{256, 1, 1})},
             Evaluator::Mode::Rounded),
      Floats({258}));
  EXPECT_EQ(
      floats("tensor<1x1x1xbf16>",
             "%r = cleave.convolution %0, %1 {window_strides = array<i64: "
             "1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: "
             "1>, rhs_dilation = array<i64: 1>, window_reversal = "
             "array<i1: false>, input_batch_dimension = 0, "
             "input_feature_dimension = 2, input_spatial_dimensions = "
             "array<i64: 1>, kernel_input_feature_dimension = 1, "
             "kernel_output_feature_dimension = 2, "
             "kernel_spatial_dimensions = array<i64: 0>, "
             "output_batch_dimension = 0, output_feature_dimension = 2, "
             "output_spatial_dimensions = array<i64: 1>, "
             "feature_group_count = 1, batch_group_count = 1} : "
             "(tensor<1x3x1xbf16>, tensor<3x1x1xbf16>) -> "
             "tensor<1x1x1xbf16>",
             {tensor("tensor<1x3x1xbf16>", Floats{256, 1, 1}),
              tensor("tensor<3x1x1xbf16>", Floats{1, 1, 1})},
             Evaluator::Mode::Rounded),
      Floats({258}));
}

} // namespace

// As many sums as elements, where one with padding that counts takes them all
// together again.
TEST_F(WindowsTest, RunningSums) {
  auto run = [&](const char *init, const char *padding) {
    return floats(
        "tensor<2x3xf32>",
        std::string("%x = cleave.constant dense<[[1.0, 2.0, 3.0], [10.0, "
                    "20.0, 30.0]]> : tensor<2x3xf32>\n"
                    "%z = cleave.constant dense<") +
            init +
            "> : tensor<f32>\n"
            "%r = cleave.reduce_window(%x) init(%z) "
            "{window_dimensions = array<i64: 2, 1>, window_strides = "
            "array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, "
            "window_dilations = array<i64: 1, 1>, padding = "
            "array<i64: " +
            padding +
            ", 0, 0>} : (tensor<2x3xf32>, tensor<f32>) -> "
            "tensor<2x3xf32> {\n"
            "  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):\n"
            "    %sum = cleave.add %acc, %elt : tensor<f32>\n"
            "    cleave.return %sum : tensor<f32>\n"
            "  }");
  };
  expectNear(run("0.0", "1, 0"), {1, 2, 3, 11, 22, 33});
  expectNear(run("0.0", "0, 1"), {11, 22, 33, 10, 20, 30});
  expectNear(run("5.0", "1, 0"), {11, 12, 13, 16, 27, 38});
}
